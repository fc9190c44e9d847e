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
package org.hadoopmpsr.client.run;

import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.core.config.ConfigKeys;

/** How much one change of a dataset may have, as far as a client's configuration says it. */
public final class ChangeLimits {
    private ChangeLimits() {}

    /** The most new files of a change. The NameNode may allow another number. */
    public static int maxFiles(Configuration conf) {
        return conf.getInt(
                ConfigKeys.MAX_COMMIT_FILES.name(), Integer.parseInt(ConfigKeys.MAX_COMMIT_FILES.defaultValue()));
    }
}
