# undoku in a slim image:
#
#     docker build -t undoku .
#     docker run --rm -v "$PWD:/films" undoku render puzzle.txt -s row-major -s mrv -o film.mp4
#
# The first stage compiles the loops into a wheel; the second has neither compiler nor sources. pip, not
# the system, brings ffmpeg, and the clang that compiles. Untested: no machine with Docker has built it.
FROM python:3.13-slim AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && useradd --create-home undoku
USER undoku
WORKDIR /films
ENTRYPOINT ["undoku"]
CMD ["--help"]
