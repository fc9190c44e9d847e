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

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.apache.hadoop.net.NetworkTopology;

/**
 * The views of the NameNodes in this JVM, by their topology: HDFS makes policies of its own for fsck and on
 * reconfiguration, and all policies of a NameNode share its topology. Topologies compare by identity. Thread-safe.
 */
public final class PlacementViews {
    private static final Map<NetworkTopology, PlacementView> VIEWS = Collections.synchronizedMap(new WeakHashMap<>());

    private PlacementViews() {}

    /** Makes a view the one that all policies of this topology use from now on. */
    public static void bind(NetworkTopology topology, PlacementView view) {
        VIEWS.put(topology, view);
    }

    /** Forgets the topology's view. */
    public static void unbind(NetworkTopology topology) {
        VIEWS.remove(topology);
    }

    /** The view of a topology; empty where no plugin has bound one. */
    public static Optional<PlacementView> of(NetworkTopology topology) {
        return Optional.ofNullable(VIEWS.get(topology));
    }
}
