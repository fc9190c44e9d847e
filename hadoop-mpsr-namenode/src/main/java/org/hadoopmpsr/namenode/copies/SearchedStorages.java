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
package org.hadoopmpsr.namenode.copies;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The storages whose block report was searched, by node. Each has the id of the last full report that named it; a
 * replaced volume is in no report any more, and is forgotten. Thread-safe.
 */
final class SearchedStorages {
    private final Map<String, Map<String, Long>> byNode = new ConcurrentHashMap<>();

    /**
     * Adds a storage of a report.
     *
     * @return true if its report was not searched yet
     */
    boolean add(String node, String storage, long report) {
        return byNode.computeIfAbsent(node, same -> new ConcurrentHashMap<>()).put(storage, report) == null;
    }

    /** Forgets the node's storages that this report, which came completely, does not name. */
    void completed(String node, long report) {
        Map<String, Long> storages = byNode.get(node);
        if (storages != null) {
            storages.values().removeIf(last -> last != report);
        }
    }

    /** Keeps these nodes, and forgets all others. */
    void retain(Set<String> nodes) {
        byNode.keySet().retainAll(nodes);
    }

    /** The number of storages. */
    int size() {
        return byNode.values().stream().mapToInt(Map::size).sum();
    }
}
