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
package org.hadoopmpsr.blockmanager;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/** Answers with the pairs {@code uuid=group} of a key of the configuration; fails where it is not set. */
public final class FakeAllocationSource implements AllocationSource {
    static final String KEY = "test.allocation";

    @Override
    public Map<String, String> fetch(Configuration conf) throws IOException {
        if (conf.get(KEY) == null) {
            throw new IOException("connection refused");
        }
        Map<String, String> groups = new HashMap<>();
        for (String pair : conf.getStrings(KEY)) {
            groups.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return groups;
    }
}
