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
"""Who asks HDFS."""

import getpass
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Caller:
    """A delegation token, and the name of a user: HDFS looks at the one with Kerberos, and at the other without."""

    user: str = ""
    token: str = field(default="", repr=False)

    @staticmethod
    def of(token: str | None, user: str | None) -> "Caller":
        """The caller with this token and user; with neither, the user of this process."""
        token = (token or "").strip()
        return Caller(user or ("" if token else getpass.getuser()), token)

    def parameters(self) -> dict[str, str]:
        """What a request to a NameNode says."""
        found = {"delegation": self.token, "user.name": self.user}
        return {name: value for name, value in found.items() if value}

    def cleared(self, text: str) -> str:
        """The text without the token."""
        return text.replace(self.token, "...") if self.token else text

    def __str__(self) -> str:
        if self.token:
            return "the delegation token; it may have expired, or be of another cluster: get a new one with 'hdfs fetchdt'"
        return f"the name of the user '{self.user}'; give a delegation token, to PyIceberg as the property 'token' of the catalog"
