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
    """A delegation token or a ticket, and the name of a user: HDFS looks at the ones with Kerberos, and at the other without."""

    user: str = ""
    token: str = field(default="", repr=False)
    kerberos: bool = False
    """Whether a ticket of Kerberos says who it is."""

    @staticmethod
    def of(token: str | None, user: str | None, kerberos: bool = False) -> "Caller":
        """The caller with this token or ticket, or this user; with neither, the user of this process.

        Raises:
            ValueError: Both a ticket and something else say who it is.
        """
        token = (token or "").strip()
        if kerberos and (token or user):
            raise ValueError(f"kerberos=True and {'a token' if token else 'a user'} are given, and one of them says who asks: leave out the other")
        return Caller(user or ("" if token or kerberos else getpass.getuser()), token, kerberos)

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
        if self.kerberos:
            return "the ticket of Kerberos; it may have expired: get a new one with 'kinit'"
        return f"the name of the user '{self.user}'; give a delegation token, to PyIceberg as the property 'token' of the catalog, or kerberos=True to hadoop_mpsr.open()"
