// A backtracking solver that prints its trace:
//   rustc -O emitter.rs && ./emitter 53..7… | undoku render - -o film.mp4
// The lines with writeln! are all that a trace needs; docs/trace-format.md describes the format.
use std::io::{self, BufWriter, Write};

fn fits(board: &[u8; 81], cell: usize, value: u8) -> bool {
    let (row, column) = (cell / 9, cell % 9);
    let corner = row / 3 * 27 + column / 3 * 3;
    (0..9).all(|k| {
        board[row * 9 + k] != value
            && board[k * 9 + column] != value
            && board[corner + k / 3 * 9 + k % 3] != value
    })
}

fn solve(board: &mut [u8; 81], from: usize, out: &mut impl Write) -> io::Result<bool> {
    let Some(cell) = (from..81).find(|&cell| board[cell] == 0) else {
        return Ok(true);
    };
    for value in 1..=9 {
        if fits(board, cell, value) {
            board[cell] = value;
            writeln!(out, r#"["place",{cell},{value}]"#)?;
            if solve(board, cell + 1, out)? {
                return Ok(true);
            }
            board[cell] = 0;
            writeln!(out, r#"["undo",{cell}]"#)?;
        }
    }
    Ok(false)
}

fn main() -> io::Result<()> {
    let Some(givens) = std::env::args().nth(1).filter(|cells| cells.len() == 81) else {
        eprintln!("give the 81 cells of a puzzle");
        std::process::exit(2);
    };
    let mut board = [0; 81];
    for (cell, mark) in givens.bytes().enumerate() {
        board[cell] = if mark.is_ascii_digit() { mark - b'0' } else { 0 };
    }
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, r#"{{"undoku":1,"size":9,"givens":"{givens}","title":"Rust program"}}"#)?;
    let outcome = if solve(&mut board, 0, &mut out)? { "solved" } else { "exhausted" };
    writeln!(out, r#"{{"outcome":"{outcome}"}}"#)?;
    out.flush()
}
