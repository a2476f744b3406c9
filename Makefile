# The two commands of the README are `make demo` and `make test`; `make help` lists the others.
# Everything is built by CMake (CMakePresets.json); this file only installs packages and calls it.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
DATA ?= ../shared
SECONDS_PER_FUZZER ?= 600
PREFIX ?= /usr/local

build_packages = $(shell sed '/^\# Tools/,$$d; /^\#/d' packages.txt)
all_packages = $(shell sed '/^\#/d' packages.txt)
SUDO = $(shell [ $$(id -u) = 0 ] || echo sudo)

# Installs those of the given packages that are missing; asks for nothing if none is.
define install_packages
@missing=$$(for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
if [ -n "$$missing" ]; then \
  echo "Installing:" $$missing; \
  $(SUDO) apt-get update -qq && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
fi
endef

.PHONY: all demo test bench fuzz format tidy docs install asan tsan clean help packages tools

all: packages ## build the program, build/sorites
	@[ -f build/build.ninja ] || cmake --preset release
	@cmake --build --preset release --target sorites_program -j $(JOBS)

demo: all ## build, then infer who knows whom in an example
	@build/sorites infer examples/acquaintances/model.json

test: packages ## build everything, then run every test
	@[ -f build/build.ninja ] || cmake --preset release
	@cmake --build --preset release --target sorites_tests -j $(JOBS)
	@ctest --preset release -j $(JOBS)

bench: packages ## run the benchmarks; DATA=DIR is the folder of data sets
	@[ -f build/build.ninja ] || cmake --preset release
	@cmake --build --preset release -j $(JOBS)
	@bench/run build $(DATA)

fuzz: tools ## run every fuzzer for SECONDS_PER_FUZZER seconds
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build-fuzz $(SECONDS_PER_FUZZER)

format: tools ## format all sources
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

tidy: tools packages ## lint all sources
	@cmake --preset debug
	@git ls-files 'src/*.cc' 'apps/*.cc' | grep -v _test.cc | xargs -P $(JOBS) -n 4 clang-tidy -p build-debug --quiet

docs: all ## write the generated pages of docs/ anew
	@build/sorites generate-docs docs

asan tsan: packages ## run every test under the address / thread sanitizer
	@cmake --preset $@
	@cmake --build --preset $@ --target sorites_tests -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

install: all ## install program, library, headers, man page to PREFIX
	@cmake --build --preset release --target sorites -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	@rm -rf build build-debug build-asan build-tsan build-fuzz

help: ## this list
	@sed -n 's/^\([a-z ]*\):.*## \(.*\)/\1\t\2/p' Makefile | column -t -s "$$(printf '\t')"

packages:
	$(call install_packages,$(build_packages))

tools:
	$(call install_packages,$(all_packages))
