"""The settings of a film: frozen, checked, and made from options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from undoku.errors import SettingsError, did_you_mean
from undoku.render.settings.fields import SettingFields
from undoku.render.settings.option import Context
from undoku.render.settings.table import by_field, settings_in
from undoku.render.settings.table import option as option_named
from undoku.render.timeline.pace import Clock, PaceKind
from undoku.render.timeline.timeline import Pace
from undoku.texts import wording as say
from undoku.texts.counter_kinds import counter_kinds


@dataclass(frozen=True, slots=True)
class FilmSettings(SettingFields):
    """The appearance and the pace of a film. `undoku.render.settings.table` describes the values of
    each field (`undoku.render.settings.fields`), and provides checks and defaults.

    `width` and `height` are pixels (even); `fps` is frames per second; `intro`, `hold` and `card`
    are seconds; None means the default of the pace. `title` None means a title made from the
    searches, "" none. `labels` are the names of the first searches, in their order; others have the
    labels of their headers. `background` is "#rrggbb", "none" for a transparent film, "" for that
    of the theme. `font` "" means DejaVu Sans, `language` "" English, `heat` "" none. `panels` are
    shown as far as there is room (names of undoku.render.panels.panel_registry; none means its
    `shown_panels`), and so are `counters` (names of undoku.texts.counter_kinds; none means its
    `usual_counters`). `margins` are the empty margins on the left, at the top, on the right and at
    the bottom, in percent of the width and the height; () means none. `key_interval` None means the
    default of the quality. `encoder_threads` affects the result, because video encoders divide
    their work by it. `sound` is the name of a mix (undoku.render.sound.mix), "" for silence;
    `voice` a sound file, "" for none. Raises SettingsError for values out of range, and for
    contradictory ones.
    """

    def __post_init__(self) -> None:
        for name in ("panels", "labels", "counters", "code"):
            if isinstance(getattr(self, name), list):
                object.__setattr__(self, name, tuple(getattr(self, name)))
        for field, option in by_field("pace.").items():
            option.check(getattr(self.pace, field))
        for field, option in by_field().items():
            if len(option.fields) == 1:
                option.check(getattr(self, field))
        option_named("size").check((self.width, self.height))
        counter_kinds(self.counters)
        for conflict, message, remedy in self._conflicts():
            if conflict:
                raise SettingsError(message, remedy=remedy)

    @property
    def transparent(self) -> bool:
        """Whether the background of the film is transparent."""
        return self.background == "none"

    def _conflicts(self) -> Iterator[tuple[object, str, str]]:
        """What can't be combined: whether it was, the message, and the remedy."""
        pace, remedy = self.pace, "leave out one of them"
        yield (
            self.colours and self.flash_safe,
            "flash_safe and colours can't be combined",
            remedy,
        )
        for asked, what in ((bool(self.colours), "colours"), (self.flash_safe, "flash_safe")):
            yield (
                asked and self.transparent,
                f"a transparent film can't be combined with {what}: both depend on the picture "
                "below it",
                remedy,
            )
        rate = pace.steps_per_frame is not None
        yield (
            rate and pace.duration is not None,
            "a speed and a duration can't be combined",
            "give one of the two",
        )
        ramp, slowed = (pace.ramp, "a ramp"), (self.highlights, "slowing down at highlights")
        for asked, what in (
            (rate, "a rate of steps"),
            ramp,
            (pace.first > 0 or pace.last is not None, "a race over a part of the steps"),
            (bool(pace.cues), "cues"),
            (self.clock is not Clock.STEPS, f"the clock {self.clock}"),
            slowed,
            (bool(self.panels), "a choice of panels"),
            (bool(self.counters), "a choice of counters"),
            (bool(self.heat), "heat"),
            (bool(self.code), "code"),
        ):
            yield (
                asked and pace.story,
                f"the pace {pace.kind} can't be combined with {what}",
                f"{remedy}, or take the pace even",
            )
        for asked, what in (ramp, slowed, (self.clock is Clock.TIME, f"the clock {Clock.TIME}")):
            yield asked and pace.cues, f"cues can't be combined with {what}", remedy
        yield (
            pace.ramp and self.highlights,
            "ramp and highlights can't be combined: both change the speed",
            remedy,
        )


def as_still(settings: FilmSettings) -> FilmSettings:
    """The settings for a single picture, which has all panels, no story and no excerpt of one."""
    if not settings.pace.story:
        return settings
    return replace(settings, excerpt="", pace=replace(settings.pace, kind=PaceKind.EVEN))


_DEFAULT = FilmSettings()


def settings_of(
    given: Mapping[str, object],
    base: FilmSettings | None = None,
    context: Context = Context.PYTHON,
) -> FilmSettings:
    """The settings for given options: numbers, or texts as on the command line; None means not
    given. Other settings come from `base` (the defaults). If any option of the pace is given, the
    pace of `base` is not used. A film has a story unless an option sets its speed or its panels
    (`compatible_pace`). Raises SettingsError for an option that is unknown in the `context`, or an
    invalid value.
    """
    new = base is None
    base = base or _DEFAULT
    known = settings_in(context)
    fields: dict[str, object] = {}
    pace: dict[str, object] = {}
    for name, value in given.items():
        if name not in known:
            raise SettingsError(
                f"there is no option {name!r}",
                remedy=did_you_mean(name, known, f"known: {', '.join(known)}"),
            )
        if value is None:
            continue
        option = known[name]
        if option.sets_pace:
            pace[name] = option.value(value)
        else:
            fields |= option.by_fields(option.value(value))
    if pace or new:
        fps = fields.get("fps", base.fps)
        assert isinstance(fps, Fraction)
        fields["pace"] = pace_of(pace, fps)
        if "every" in pace:
            fields["last_state"] = True
    asked = fields.get("pace", base.pace)
    assert isinstance(asked, Pace)
    if "pace" not in pace:
        others = {name: getattr(base, name) for name in ("clock", *_OF_EVEN_PACE)}
        fields["pace"] = compatible_pace(asked, others | fields)
    return replace(base, **fields)  # type: ignore[arg-type]  # each was read as its option says


_OF_EVEN_PACE = "highlights", "panels", "counters", "heat", "code"
"""Settings outside the pace that a story can't have, besides the clocks other than `steps`."""


_EVEN_DURATION = Fraction(30)
"""The seconds of a film of even pace where no option sets its speed."""


def compatible_pace(pace: Pace, fields: Mapping[str, object]) -> Pace:
    """A pace with which other fields of the settings can be combined: `pace`, or an even one, of
    the same duration if it has one, where that is a story and a field excludes it."""
    clocked = fields.get("clock", Clock.STEPS) is not Clock.STEPS
    if pace.story and (clocked or any(map(fields.get, _OF_EVEN_PACE))):
        return replace(pace, kind=PaceKind.EVEN, duration=pace.duration or _EVEN_DURATION)
    return pace


_OF_STORIES = {"pace", "duration"}
"""The options of a pace that are compatible with a story."""


def pace_of(given: Mapping[str, object], fps: Fraction) -> Pace:
    """The pace for given options, by name, with parsed values, at `fps` frames per second. A story
    if they set no speed. Raises SettingsError if they contradict each other."""
    rates = [name for name in ("every", "steps_per_frame", "steps_per_second") if name in given]
    if "every" in given and (len(rates) > 1 or "duration" in given):
        raise SettingsError(
            "every can't be combined with another speed or with a duration",
            remedy="leave out other rates",
        )
    if len(rates) > 1:
        raise SettingsError(
            "steps per frame and steps per second can't be combined",
            remedy="give one of the two",
        )
    fields: dict[str, object] = {}
    for name, option in settings_in(Context.PYTHON).items():
        if name in given and option.sets_pace:
            fields[option.fields[0].removeprefix("pace.")] = given[name]
    if "pace" not in given and not given.keys() - _OF_STORIES:
        fields["kind"] = PaceKind.STORY
    if rates:
        rate = Fraction(str(given[rates[0]]))
        fields["steps_per_frame"] = rate / fps if rates[0] == "steps_per_second" else rate
    return Pace(**fields)  # type: ignore[arg-type]  # each was read as its option says


def default_title(searches: int, puzzles: int) -> str:
    """The default title of a film."""
    if searches == 1:
        return say.TITLE_ONE_SEARCH()
    counted = say.number_word(searches)
    if puzzles == 1:
        return say.TITLE_STRATEGIES(number=counted)
    return say.capitalised(say.TITLE_SEARCHES(number=counted))
