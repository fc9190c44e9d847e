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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.Nullable;

/**
 * Maps host names to racks, by the file of {@code net.topology.table.file.name}, which has a host and its rack on each
 * line. Hadoop's own table uses addresses, which are equal for DataNodes on one machine. Hosts that are not listed are
 * on the default rack. Set as {@code net.topology.node.switch.mapping.impl}. Thread-safe.
 */
public final class HostNameRackMapping extends Configured implements DNSToSwitchMapping {
    private volatile @Nullable Map<String, String> racks;

    @Override
    public List<String> resolve(List<String> names) {
        Map<String, String> table = table();
        return names.stream()
                .map(name -> table.getOrDefault(name, NetworkTopology.DEFAULT_RACK))
                .toList();
    }

    @Override
    public void reloadCachedMappings() {
        racks = null;
    }

    @Override
    public void reloadCachedMappings(List<String> names) {
        reloadCachedMappings();
    }

    private Map<String, String> table() {
        Map<String, String> table = racks;
        if (table == null) {
            table = read();
            racks = table;
        }
        return table;
    }

    private Map<String, String> read() {
        String key = CommonConfigurationKeysPublic.NET_TOPOLOGY_TABLE_MAPPING_FILE_KEY;
        String file = getConf() == null ? "" : getConf().getTrimmed(key, "");
        Map<String, String> table = new HashMap<>();
        if (file.isEmpty()) {
            return table;
        }
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                String[] words = line.trim().split("\\s+");
                if (words.length == 2 && !words[0].startsWith("#")) {
                    table.put(words[0], words[1]);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    key + " = '" + file + "': cannot read the racks; correct the file or its name", e);
        }
        return table;
    }
}
