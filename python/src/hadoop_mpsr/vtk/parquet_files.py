# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""The Parquet files in directories."""

import os


def parquet_files(paths):
    """The files that are named, and those below the directories that are, sorted. What begins with . or _ is left out below directories.

    Raises FileNotFoundError if there is none.
    """
    found = []
    for path in paths:
        if os.path.isdir(path):
            found += sorted(_below(path))
        else:
            found.append(path)
    if not found:
        raise FileNotFoundError(f"there is no Parquet file in {', '.join(map(str, paths))}")
    return found


def _below(directory):
    for where, directories, names in os.walk(directory):
        directories[:] = [name for name in directories if name[0] not in "._"]
        yield from (os.path.join(where, name) for name in names if name[0] not in "._")
