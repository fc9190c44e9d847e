# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
# http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""What SZ3 makes of the same values, if its package for Python, pysz, is there. Only measurements use it."""

PAGE_VALUES = 20_000
"""As many as a page of a file has: a reader of one page decodes no other one."""


def runs(directory, errors):
    """
    The bytes that SZ3 takes within the errors.

    :param directory: has the values of data sets, as little-endian numbers
    :param errors: pairs of the name of a data set and a greatest error
    :return: a run for each pair; none without the package
    """
    try:
        import numpy
        from pysz import sz, szConfig, szErrorBoundMode
    except ImportError:
        return []
    found = []
    for data, error in errors:
        values = numpy.fromfile(directory / f"{data}.f64", "<f8")
        size = 0
        for start in range(0, len(values), PAGE_VALUES):
            page = numpy.ascontiguousarray(values[start : start + PAGE_VALUES])
            config = szConfig(page.shape)
            config.errorBoundMode = szErrorBoundMode.ABS
            config.absErrorBound = error
            compressed, _ = sz.compress(page, config)
            size += compressed.nbytes
        found.append({"kind": "sz3", "data": data, "error": error, "values": len(values), "bytes": size})
    return found
