"""Languages from files: `de.toml`, `he.toml`, and the user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from undoku.errors import Place, SettingsError, did_you_mean
from undoku.texts.language import ENGLISH, FORMS, Language, forms_of, places_in
from undoku.texts.wording import ABOUT, COUNT, LANGUAGES, NOUNS, english, forms_in
from undoku.toml_reading import TomlFile, named_file, names_in, parse_toml, read_bytes, sent, shown

_MAX_BYTES = 1 << 17
"""The largest size of a file of texts in bytes; the built-in ones have less than 32 KiB."""

_MAX_CHARACTERS = 400
"""The maximum number of characters of a wording."""

_SETTINGS = ("language", "direction", "thousands", "decimals", "texts")
_DIRECTIONS = ("left-to-right", "right-to-left")


def language_names() -> list[str]:
    """The names of the built-in languages."""
    return names_in(LANGUAGES)


def load_language(name: str) -> Language:
    """The language with this name, or in the TOML file with this path; "" is English.

    Raises SettingsError, with the place in the file, for an unknown name or a wrong file;
    ReadError for an unreadable file.
    """
    if found := sent(Language, name):
        return found
    if name in ("", "en"):
        return ENGLISH
    path = named_file(name, LANGUAGES, "language")
    raw, source = read_bytes(path, _MAX_BYTES, "texts of films")
    return _parsed(raw, source, path.stem)


@lru_cache(maxsize=16)
def _parsed(raw: bytes, source: str, stem: str) -> Language:
    """The language in the file `source`, which may have changed since it was last read."""
    file = parse_toml(raw, source)
    for key in file.content:
        if key not in _SETTINGS:
            raise SettingsError(
                f"there is no setting {shown(key)}",
                place=file.place(key),
                remedy=f"known: {', '.join(_SETTINGS)}; texts belong below [texts]",
            )
    tag = _line(file, "language", stem, 35)
    direction = _line(file, "direction", _DIRECTIONS[0], 20)
    if direction not in _DIRECTIONS:
        raise SettingsError(
            f"{shown(direction)} is not a direction",
            place=file.place("direction"),
            remedy=f"write {' or '.join(map(repr, _DIRECTIONS))}",
        )
    texts = file.content.get("texts", {})
    if not isinstance(texts, dict):
        raise SettingsError(
            "texts must be a table", place=file.place("texts"), remedy="begin it with [texts]"
        )
    return Language(
        tag,
        direction == _DIRECTIONS[1],
        _line(file, "thousands", ",", 1),
        _line(file, "decimals", ".", 1),
        {key: _forms(file, key, tag) for key in texts},
        file.text,
    )


def _line(file: TomlFile, key: str, usual: str, most: int) -> str:
    value = file.content.get(key, usual)
    if not isinstance(value, str) or len(value) > most or not _is_line(value):
        length = "one character" if most == 1 else f"at most {most} characters"
        raise SettingsError(
            f"{key} = {shown(value)} is not a line of text of {length}", place=file.place(key)
        )
    return value


def _forms(file: TomlFile, key: str, tag: str) -> Mapping[str, str]:
    """The forms of a text. Raises SettingsError."""
    plain = key.partition(ABOUT)[0]
    known = english().get(key) or english().get(plain)
    if known is None:
        raise SettingsError(
            f"there is no text {shown(key)}",
            place=file.place("texts", key),
            remedy=did_you_mean(key, english(), "undoku list texts names all of them"),
        )
    value = file.content["texts"][key]
    counted = len(known) > 1
    if not isinstance(value, str) and not (counted and isinstance(value, dict)):
        kind = "a text, or a table of its forms" if counted else "a text"
        raise SettingsError(
            f"{key} = {shown(value)} is not {kind}",
            place=file.place("texts", key),
            remedy=f"write it as in English, {known['other']!r}",
        )
    forms = forms_in(value)
    for form, written in forms.items():
        place = partial(file.place, "texts", key, *[form] * isinstance(value, dict))
        if form not in forms_of(tag):
            what = "a form of another language" if form in FORMS else "not a form"
            raise SettingsError(
                f"{shown(form)} is {what}",
                place=place(),
                remedy=f"{tag!r} has {', '.join(forms_of(tag))}",
            )
        _check(written, form, known["other"], place, every=key == plain)
    if "other" not in forms:
        raise SettingsError(
            f"{key} has no form 'other'", place=file.place("texts", key), remedy="add it"
        )
    return dict(forms)


def _check(
    written: object, form: str, english_wording: str, place: Callable[[], Place], *, every: bool
) -> None:
    """Raise SettingsError for a wording that can't be filled in like the English one; with `every`
    it must have all of its places, except nouns."""
    if not isinstance(written, str) or len(written) > _MAX_CHARACTERS or not _is_line(written):
        raise SettingsError(
            f"{shown(written)} is not a line of text",
            place=place(),
            remedy=f"write at most {_MAX_CHARACTERS} characters without line breaks",
        )
    try:
        places = places_in(written)
    except ValueError as error:
        raise SettingsError(
            f"{shown(written)} can't be filled in: {error}",
            place=place(),
            remedy="write places as {name}, and braces themselves as {{ and }}",
        ) from None
    wanted = places_in(english_wording) - {*NOUNS}
    if further := places - wanted - {*NOUNS}:
        raise SettingsError(
            f"the text has no place {{{min(further)}}}",
            place=place(),
            remedy="it has " + (", ".join(f"{{{name}}}" for name in sorted(wanted)) or "none"),
        )
    # A form for a single number may contain it as a word.
    spelled = form in ("zero", "one", "two")
    missing = wanted - places - ({COUNT} if spelled else set())
    if every and missing:
        raise SettingsError(
            f"the place {{{min(missing)}}} is missing",
            place=place(),
            remedy=f"in English it is {english_wording!r}",
        )


def _is_line(text: str) -> bool:
    """Whether a text is one line; it may contain direction marks and joiners."""
    return all(mark.isprintable() or mark in "\xa0\u202f\u200c\u200d\u200e\u200f" for mark in text)
