"""The wheel has a library of the machine, but needs no certain Python: py3-none-manylinux_..."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelTag(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = os.environ["SORITES_WHEEL_TAG"]  # by make_wheel
