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
package org.hadoopmpsr.client.cli;

import java.net.ConnectException;
import org.hadoopmpsr.client.MpsrClient;

/** Makes one readable message of an exception. */
final class Messages {

    private Messages() {}

    static String of(Throwable e) {
        if (MpsrClient.isWithoutMpsr(e)) {
            return "mpsr: the NameNode runs without MPSR; set dfs.namenode.plugins to"
                    + " org.hadoopmpsr.namenode.MpsrPlugin in hdfs-site.xml and restart it, or, where this is a router,"
                    + " name the nameservice itself with --fs";
        }
        if (MpsrClient.isAnswer(e)) {
            return "mpsr: " + MpsrClient.answer(e);
        }
        if (e instanceof ConnectException) {
            return "mpsr: no NameNode answers; check that it runs and that fs.defaultFS names it (" + firstLine(e)
                    + ")";
        }
        return "mpsr: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
