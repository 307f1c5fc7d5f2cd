# Runs `make test` many times in a row, started as different callers start it; see `make test-repeat`.
# Prints the last line of each run, and keeps what the runs print in output/test-repeat. Fails if a
# run fails.
#
#     sh repeated_runs.sh RUNS MAKE [FOLDER OR FILE OF TESTS ...]

runs=$1
make=$2
shift 2
folder=output/test-repeat
rm -rf "$folder"
mkdir -p "$folder"
command="$make test TESTS='$*'"
busy='while kill -0 $$ 2> /dev/null; do :; done'
failed=0
for number in $(seq "$runs"); do
    export PYTHONHASHSEED="$number"
    case $((number % 6)) in
    1) way=plain; sh -c "$command" ;;
    2) way=nice; nice -n 19 sh -c "$command" ;;
    3) way='without terminal'; env -u TERM setsid --wait sh -c "$command" ;;
    4) way='own terminal'; script -qec "$command" /dev/null ;;
    5) way='SIGINT ignored'; (trap '' INT; sh -c "$command") ;;
    0) way='beside two busy processes'; sh -c "($busy) & ($busy) & $command" ;;
    esac > "$folder/$number.log" 2>&1 < /dev/null
    code=$?
    [ "$code" = 0 ] || failed=1
    echo "run $number of $runs, $way, exit code $code: $(tail -n 1 "$folder/$number.log")"
done
exit "$failed"
