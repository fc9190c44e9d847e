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
"""Why a dataset could not be read. Each error says the problem with its values, the cause, and what to do."""


class MpsrError(Exception):
    """A dataset could not be read.

    Attributes:
        problem: What could not be done, with the value it is about.
        cause: Why.
        fix: What to do.
    """

    def __init__(self, problem: str, cause: str, fix: str):
        super().__init__(f"{problem}: {cause}. {fix}")
        self.problem = problem
        self.cause = cause
        self.fix = fix

    def __reduce__(self):
        return type(self), (self.problem, self.cause, self.fix)


class NotADataset(MpsrError):
    """There is no dataset at the path, or the caller may not know of it."""


class Denied(MpsrError):
    """The caller has no right to it, or HDFS does not know the caller."""


class Unplannable(MpsrError):
    """There is no plan for the read, such as while MPSR is not ready. Stock readers read the dataset's directory all the same."""


class Refused(MpsrError):
    """The NameNode takes the request for one that makes no sense, or that is too large."""


class FilesGone(MpsrError):
    """Files of the plan could not be read, and those of a second plan could not either."""


class NoAnswer(MpsrError):
    """No NameNode, or no DataNode, has answered for some time."""
