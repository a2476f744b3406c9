# The two commands of the README are `make demo` and `make test`; `make help` lists the others.
# Everything is built by CMake (CMakePresets.json); this file only installs packages and calls it.

SHELL := /bin/bash
JOBS ?= $(shell nproc)
DATA ?= ../shared
SECONDS_PER_FUZZER ?= 600
# How long make soak takes, all in all.
SECONDS ?= 3600
PREFIX ?= /usr/local
# WERROR=ON makes warnings errors, for those who change Sorites; build/ remembers it.
WERROR ?=
# make lint reads with clang-tidy what changed since this commit.
SINCE ?=

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

configure = @[ -f build/build.ninja -a -z "$(WERROR)" ] || \
  cmake --preset release $(if $(WERROR),-DSORITES_WERROR=$(WERROR))

.PHONY: all demo test bench fuzz soak format lint tidy docs install wheel asan tsan clean help packages tools

all: packages ## build the program, build/sorites
	$(configure)
	@cmake --build --preset release --target sorites_program -j $(JOBS)

demo: all ## build, then infer who knows whom in an example
	@build/sorites infer examples/acquaintances/model.json

test: packages ## build everything, then run every test
	$(configure)
	@cmake --build --preset release --target sorites_tests -j $(JOBS)
	@ctest --preset release -j $(JOBS)

bench: packages ## run the benchmarks; DATA=DIR is the folder of data sets
	$(configure)
	@cmake --build --preset release -j $(JOBS)
	@bench/run build $(DATA)

fuzz: tools ## run every fuzzer for SECONDS_PER_FUZZER seconds
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@tests/fuzz/run build-fuzz $(SECONDS_PER_FUZZER)

soak: tools ## fuzzers, oracle, damaged files, kill -9, full disks, bad command lines, for SECONDS
	$(configure)
	@cmake --build --preset release --target sorites_program -j $(JOBS)
	@cmake --preset fuzz
	@cmake --build --preset fuzz -j $(JOBS)
	@tests/soak/run --seconds $(SECONDS)

format: tools ## format all sources
	@git ls-files '*.h' '*.cc' | xargs clang-format -i

lint: tools packages ## check format, includes, sizes; clang-tidy on what changed since SINCE
	@cmake --preset debug --log-level=WARNING
	@tests/style/lint build-debug $(SINCE)

tidy: tools packages ## run clang-tidy on all sources
	@cmake --preset debug
	@git ls-files 'src/*.cc' 'apps/*.cc' | grep -v _test.cc | xargs python3 -B tests/style/tidy.py build-debug

docs: all ## write the generated pages of docs/ anew
	@build/sorites generate-docs docs

wheel: packages ## build the Python wheel, build/wheel/dist/sorites-*.whl
	$(configure)
	@cmake --build --preset release --target sorites_wheel -j $(JOBS)
	@ls build/wheel/dist/*.whl

asan tsan: packages ## run every test under the address / thread sanitizer
	@cmake --preset $@
	@cmake --build --preset $@ --target sorites_tests -j $(JOBS)
	@ctest --preset $@ -j $(JOBS)

install: all ## install program, library, headers, man page to PREFIX
	@cmake --build --preset release --target sorites -j $(JOBS)
	@cmake --install build --prefix $(PREFIX)

clean: ## remove all build folders
	@rm -rf build build-debug build-asan build-tsan build-fuzz build-debian13

help: ## this list
	@sed -n 's/^\([a-z ]*\):.*## \(.*\)/\1\t\2/p' Makefile | column -t -s "$$(printf '\t')"

packages:
	$(call install_packages,$(build_packages))

tools:
	$(call install_packages,$(all_packages))
