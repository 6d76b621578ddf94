# SPDX-License-Identifier: Apache-2.0 OR MIT
"""The wheel of Reprise for Python. The target `wheel` of CMake puts api.json and the library beside the modules first.

The library is loaded at run time and the modules are plain Python, so that one wheel serves every version of Python 3.
"""
import json
import os

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, 'reprise', 'api.json'), encoding='utf-8') as file:
    version = json.load(file)['version']
with open(os.path.join(here, 'README.md'), encoding='utf-8') as file:
    readme = file.read()


class Binary(Distribution):
    def has_ext_modules(self):
        return True


class AnyPython(bdist_wheel):
    def get_tag(self):
        return 'py3', 'none', super().get_tag()[2]


setup(
    name='reprise-engine', version=version, packages=['reprise'], python_requires='>=3.9',
    description='Record a graph of operations over finite fields once, and replay it for every zero-knowledge proof',
    long_description=readme, long_description_content_type='text/markdown', license='Apache-2.0 OR MIT',
    package_data={'reprise': ['api.json', 'py.typed', 'libreprise.so.*']}, extras_require={'numpy': ['numpy']},
    distclass=Binary, cmdclass={'bdist_wheel': AnyPython}, zip_safe=False)
