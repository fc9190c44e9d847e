/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.namenode;

import java.util.List;

/** The state of MPSR as the NameNode's {@code /jmx} shows it: {@code Hadoop:service=NameNode,name=MpsrInfo}. */
public interface MpsrInfoMXBean {

    /** A replica group. */
    interface Group {
        String getName();

        List<String> getPredicates();

        int getReplication();

        /** Host names of the live nodes, and uuids of the others. */
        List<String> getNodes();

        long getFiles();

        long getRecords();

        long getBytes();

        long getDegradedFiles();
    }

    /** {@code ready}, {@code not_ready} or {@code off}. */
    String getState();

    /** Why it is not ready; empty when it is. */
    List<String> getProblems();

    /** What to look at although it is ready. */
    List<String> getWarnings();

    /** Empty when the groups have problems. */
    List<Group> getGroups();

    /** The paths of all datasets. */
    List<String> getDatasets();

    String getVersion();
}
