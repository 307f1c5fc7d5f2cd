// A backtracking solver that prints its trace:
//
//	go run emitter.go 53..7… | undoku render - -o film.mp4
//
// The calls of Fprintf are all that a trace needs; docs/trace-format.md describes the format.
package main

import (
	"bufio"
	"fmt"
	"os"
)

var board [81]byte
var out = bufio.NewWriter(os.Stdout)

func fits(cell int, value byte) bool {
	row, column := cell/9, cell%9
	corner := row/3*27 + column/3*3
	for k := 0; k < 9; k++ {
		if board[row*9+k] == value || board[k*9+column] == value || board[corner+k/3*9+k%3] == value {
			return false
		}
	}
	return true
}

func solve(cell int) bool {
	for cell < 81 && board[cell] != 0 {
		cell++
	}
	if cell == 81 {
		return true
	}
	for value := byte(1); value <= 9; value++ {
		if !fits(cell, value) {
			continue
		}
		board[cell] = value
		fmt.Fprintf(out, "[\"place\",%d,%d]\n", cell, value)
		if solve(cell + 1) {
			return true
		}
		board[cell] = 0
		fmt.Fprintf(out, "[\"undo\",%d]\n", cell)
	}
	return false
}

func main() {
	if len(os.Args) != 2 || len(os.Args[1]) != 81 {
		fmt.Fprintln(os.Stderr, "give the 81 cells of a puzzle")
		os.Exit(2)
	}
	givens := os.Args[1]
	for cell := 0; cell < 81; cell++ {
		if givens[cell] >= '1' && givens[cell] <= '9' {
			board[cell] = givens[cell] - '0'
		}
	}
	fmt.Fprintf(out, "{\"undoku\":1,\"size\":9,\"givens\":%q,\"title\":\"Go program\"}\n", givens)
	outcome := "exhausted"
	if solve(0) {
		outcome = "solved"
	}
	fmt.Fprintf(out, "{\"outcome\":%q}\n", outcome)
	out.Flush()
}
