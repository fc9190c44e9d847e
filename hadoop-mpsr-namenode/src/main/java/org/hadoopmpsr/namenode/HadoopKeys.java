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

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.jspecify.annotations.Nullable;

/** The keys of Hadoop's configuration. */
record HadoopKeys(Configuration conf) implements MpsrConfig.Source {
    @Override
    public @Nullable String apply(@Nullable String key) {
        return conf.getTrimmed(key);
    }

    @Override
    public Map<String, String> below(String prefix) {
        return conf.getPropsWithPrefix(prefix);
    }
}
