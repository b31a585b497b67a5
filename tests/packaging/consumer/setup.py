"""A package that uses toolweir's scanner from Cython: its headers by get_include(), its .pxd files from the package."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import toolweir

extension = Extension("toolweir_consumer", ["toolweir_consumer.pyx"], include_dirs=[toolweir.get_include()])
setup(ext_modules=cythonize([extension], language_level=3))
