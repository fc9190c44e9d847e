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
# Hadoop shell profile: adds `hdfs mpsr …` and puts the jars of MPSR on the class path of Hadoop's commands and daemons.
# Copy to $HADOOP_CONF_DIR/shellprofile.d/ (or $HADOOP_HOME/libexec/shellprofile.d/) and, unless the jars lie in
# $HADOOP_HOME/share/mpsr, set MPSR_HOME in hadoop-env.sh to the unpacked distribution.

hadoop_add_profile mpsr

function _mpsr_share
{
  echo "${MPSR_HOME:-${HADOOP_HOME}}/share/mpsr"
}

# Called for every command. The NameNode loads the plug-in; the NameNode, the Balancer and fsck the placement policy;
# who submits MapReduce jobs the provider, which must be found before Hadoop's own.
function _mpsr_hadoop_classpath
{
  hadoop_add_classpath "$(_mpsr_share)/*"
  if [[ "${HADOOP_SHELL_EXECNAME:-}" != hdfs ]]; then
    hadoop_add_classpath "${MPSR_HOME:-${HADOOP_HOME}}/share/mapreduce/*" before
  fi
}

if [[ "${HADOOP_SHELL_EXECNAME:-}" = hdfs ]]; then
  hadoop_add_subcommand "mpsr" client "datasets, replica groups and their state"
fi

# hdfs mpsr dataset|groups|status …
function hdfs_subcommand_mpsr
{
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=org.hadoopmpsr.client.cli.MpsrCommand
  if ! hadoop_add_classpath "$(_mpsr_share)/cli/*"; then
    hadoop_error "ERROR: there are no jars of MPSR in $(_mpsr_share): set MPSR_HOME in hadoop-env.sh to the unpacked distribution."
    exit 1
  fi
}
