"""Puzzle texts as people write them, and every refusal with its place and its remedy."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import pytest

from undoku.errors import PuzzleError, ReadError, UndokuError
from undoku.solver.problem.sources import collection, parse_puzzle, read
from undoku.solver.trace.search_trace import Limits, search

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]


def refusal(text: str) -> PuzzleError:
    with pytest.raises(PuzzleError) as caught:
        parse_puzzle(text, source="sample.txt")
    error = caught.value
    assert "\n" not in str(error)
    assert error.remedy
    assert str(error).startswith("sample.txt")
    return error


def caret(error: UndokuError) -> str:
    """The character of the faulty line that the caret stands under."""
    assert error.place
    line, under = error.place.excerpt().split("\n")
    return line[under.index("^")]


class TestLines:
    @pytest.mark.parametrize("empty", ".0*_")
    def test_every_mark_for_an_empty_cell_reads_the_same(self, empty: str) -> None:
        assert str(parse_puzzle(LINE.replace(".", empty))) == LINE

    @pytest.mark.parametrize("ending", ["", "\n", "\r\n", "\n\n", "  \n"])
    def test_a_line_break_at_the_end_is_not_a_part_of_the_puzzle(self, ending: str) -> None:
        assert str(parse_puzzle(LINE + ending)) == LINE

    def test_spaces_between_cells_are_skipped(self) -> None:
        assert str(parse_puzzle(" ".join(LINE))) == LINE
        assert str(parse_puzzle(" ".join(ROWS))) == LINE

    def test_a_comment_after_the_cells_is_skipped(self) -> None:
        assert str(parse_puzzle(LINE + "   # an easy one, 30 givens")) == LINE

    def test_comment_lines_before_the_cells_are_skipped(self) -> None:
        assert str(parse_puzzle(f"# first\n; second\n\n{LINE}\n")) == LINE


class TestGrids:
    def test_nine_lines_of_nine_are_a_puzzle(self) -> None:
        assert str(parse_puzzle("\n".join(ROWS))) == LINE

    def test_frames_between_the_boxes_are_skipped(self) -> None:
        framed = [" | ".join(" ".join(row[c : c + 3]) for c in (0, 3, 6)) for row in ROWS]
        framed[6:6] = framed[3:3] = ["------+-------+------"]
        assert str(parse_puzzle("\n".join(framed))) == LINE

    def test_a_frame_around_the_board_is_skipped(self) -> None:
        rows = ["|" + "|".join(row[c : c + 3] for c in (0, 3, 6)) + "|" for row in ROWS]
        rows[6:6] = rows[3:3] = ["|---+---+---|"]
        text = "\n".join([" *-----------*", *rows, " *-----------*"])
        assert str(parse_puzzle(text)) == LINE

    def test_box_drawing_characters_are_frames(self) -> None:
        rows = ["│" + "│".join(row[c : c + 3] for c in (0, 3, 6)) + "│" for row in ROWS]
        text = "\n".join(["┌───┬───┬───┐", *rows[:3], "├───┼───┼───┤", *rows[3:], "└───┴───┴───┘"])
        assert str(parse_puzzle(text)) == LINE

    def test_comments_and_empty_lines_may_be_anywhere(self) -> None:
        text = "\n\n".join(f"{row}  # row" for row in ROWS)
        assert str(parse_puzzle("# title\n" + text)) == LINE

    def test_windows_line_breaks_read_the_same(self) -> None:
        assert str(parse_puzzle("\r\n".join(ROWS))) == LINE


class TestRefusals:
    def test_the_message_about_a_short_line_states_how_many_cells_it_has(self) -> None:
        error = refusal(LINE[:-1])
        assert "80 cells" in str(error) and "81" in str(error)
        assert error.place and error.place.line == 1

    def test_the_message_about_a_long_line_states_how_many_cells_it_has(self) -> None:
        assert "82 cells" in str(refusal(LINE + "."))

    def test_a_foreign_character_is_named_with_line_and_column(self) -> None:
        error = refusal("# comment\n" + LINE[:10] + "?" + LINE[11:])
        assert "'?'" in error.message
        assert error.place and (error.place.line, error.place.column) == (2, 11)
        assert caret(error) == "?"

    @pytest.mark.parametrize("mark", ["A", "a", "P"])
    def test_a_value_above_nine_is_out_of_range(self, mark: str) -> None:
        error = refusal(LINE[:80] + mark)
        assert "out of range" in error.message and "1 to 9" in str(error)
        assert error.place and error.place.column == 81

    def test_a_control_character_is_named_by_its_code(self) -> None:
        assert "U+0007" in refusal(LINE[:3] + "\a" + LINE[4:]).message

    def test_a_digit_of_another_script_is_foreign(self) -> None:
        assert "neither a value" in refusal(LINE[:3] + "٣" + LINE[4:]).message

    @pytest.mark.parametrize(
        ("cells", "unit"),
        [((0, 8), "row 1"), ((0, 72), "column 1"), ((60, 80), "box 9")],
    )
    def test_two_equal_givens_name_both_cells_and_the_unit(
        self, cells: tuple[int, int], unit: str
    ) -> None:
        marks = ["."] * 81
        for cell in cells:
            marks[cell] = "4"
        error = refusal("\n".join("".join(marks)[row : row + 9] for row in range(0, 81, 9)))
        for cell in cells:
            assert f"r{cell // 9 + 1}c{cell % 9 + 1}" in error.message
        assert unit in error.message and "4" in error.message
        second = cells[1]
        assert error.place
        assert (error.place.line, error.place.column) == (second // 9 + 1, second % 9 + 1)
        assert caret(error) == "4"

    def test_a_row_too_short_is_named_by_its_line(self) -> None:
        error = refusal("\n".join([*ROWS[:4], ROWS[4][:8], *ROWS[5:]]))
        assert "8 cells" in error.message and error.place and error.place.line == 5

    @pytest.mark.parametrize("count", [2, 8, 10, 18])
    def test_a_grid_of_too_few_or_too_many_lines_is_refused(self, count: int) -> None:
        assert f"{count} lines" in refusal("\n".join((ROWS * 2)[:count])).message

    @pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff"])
    def test_an_empty_text_is_called_empty(self, text: str) -> None:
        assert "empty" in refusal(text).message

    def test_a_text_of_comments_alone_holds_no_cells(self) -> None:
        assert "no cells" in refusal("# nothing\n------\n").message


class TestArguments:
    def test_the_argument_may_be_the_puzzle_itself(self) -> None:
        assert str(read(LINE)) == LINE
        assert str(read("\n".join(ROWS))) == LINE

    def test_the_argument_may_be_a_file(self, tmp_path: Path) -> None:
        file = tmp_path / "grid.txt"
        file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(ROWS).encode())
        assert str(read(str(file))) == LINE

    def test_a_dash_is_standard_input(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINE.encode())))
        assert str(read("-")) == LINE

    def test_a_literal_of_the_wrong_length_is_not_a_missing_file(self) -> None:
        with pytest.raises(PuzzleError, match=r"the puzzle argument.*80 cells"):
            read(LINE[:-1])

    def test_a_missing_file_is_named(self) -> None:
        with pytest.raises(ReadError, match=r"no file 'nowhere/puzzle\.txt'"):
            read("nowhere/puzzle.txt")

    def test_a_name_too_long_for_the_system_is_a_missing_file(self) -> None:
        with pytest.raises(UndokuError):
            read("x" * 5000 + ".txt")

    def test_a_name_with_a_zero_byte_is_refused_in_a_sentence(self) -> None:
        with pytest.raises(UndokuError):
            read("a\0b")

    def test_a_directory_is_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(ReadError, match=r"can't be read.*directory"):
            read(str(tmp_path))

    @pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
    def test_a_file_without_permission_is_refused_by_name(self, tmp_path: Path) -> None:
        file = tmp_path / "secret.txt"
        file.write_text(LINE)
        file.chmod(0)
        with pytest.raises(ReadError, match="can't be read"):
            read(str(file))

    def test_an_empty_file_is_called_empty(self, tmp_path: Path) -> None:
        file = tmp_path / "empty.txt"
        file.touch()
        with pytest.raises(PuzzleError, match=r"empty\.txt: it is empty"):
            read(str(file))

    @pytest.mark.parametrize(
        "junk",
        [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", bytes(range(256)) * 400, b"\xff\xfe\xfd\xfc" * 20],
        ids=["picture", "every byte", "no utf-8"],
    )
    def test_binary_junk_is_not_a_text(self, junk: bytes, tmp_path: Path) -> None:
        file = tmp_path / "junk.bin"
        file.write_bytes(junk)
        with pytest.raises(PuzzleError, match="is not text") as caught:
            read(str(file))
        assert "\n" not in str(caught.value)


def test_a_file_in_utf_16_asks_for_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "notepad.txt"
    file.write_bytes(LINE.encode("utf-16"))
    with pytest.raises(PuzzleError, match="UTF-16; save it as UTF-8"):
        read(str(file))


PUBLISHED = {
    "easy": 38,
    "medium": 25,
    "hard": 24,
    "very-hard": 30,
    "extreme": 27,
    "fifty-minutes": 17,
    "worlds-hardest": 23,
}


class TestExamples:
    @pytest.fixture
    def folder(self, request: pytest.FixtureRequest) -> Path:
        return request.config.rootpath / "examples" / "puzzles"

    def test_the_published_puzzles_have_the_givens_that_were_published(self, folder: Path) -> None:
        givens = {
            name: 81 - len(read(str(folder / f"{name}.txt")).empty_cells) for name in PUBLISHED
        }
        assert givens == PUBLISHED

    def test_the_published_collection_holds_the_same_puzzles(self, folder: Path) -> None:
        found = list(collection(folder / "published.sdm"))
        assert found == [read(str(folder / f"{name}.txt")) for name in PUBLISHED]
        assert [puzzle.title for puzzle in found] == list(PUBLISHED)

    def test_every_example_but_the_quasigroup_has_one_solution(self, folder: Path) -> None:
        files = sorted(folder.glob("*.txt"))
        files.remove(folder / "quasigroup.txt")
        assert len(files) >= 14
        for file in files:
            tally = search(read(str(file)), "mrv", Limits(exhaustive=True)).tally()
            assert (file.stem, tally.solutions) == (file.stem, 1)

    def test_every_example_board_is_one_of_a_kind(self, folder: Path) -> None:
        boards = {read(str(file)).geometry for file in folder.glob("*.txt")}
        assert len(boards) == 10
