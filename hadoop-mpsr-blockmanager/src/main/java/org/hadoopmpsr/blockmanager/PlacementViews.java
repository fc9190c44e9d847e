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
import org.jspecify.annotations.Nullable;

/**
 * The views of the NameNodes in this JVM, by their topology: HDFS makes policies of its own for fsck and on
 * reconfiguration, and all policies of a NameNode share its topology. Topologies compare by identity. Thread-safe.
 */
public final class PlacementViews {
    private static final Map<NetworkTopology, Slot> SLOTS = Collections.synchronizedMap(new WeakHashMap<>());

    private PlacementViews() {}

    /** Where a topology's view is found by one volatile read, now and after it was bound anew. */
    public static final class Slot {
        private volatile @Nullable PlacementView view;
        private volatile WrongCopies wrongCopies = WrongCopies.NONE;

        Slot() {}

        /** What is known of wrong copies. */
        public WrongCopies wrongCopies() {
            return wrongCopies;
        }

        /** The view; empty where no plugin has bound one. */
        public Optional<PlacementView> get() {
            return Optional.ofNullable(view);
        }
    }

    /** A topology's slot, the same each time. */
    public static Slot slot(NetworkTopology topology) {
        return SLOTS.computeIfAbsent(topology, t -> new Slot());
    }

    /** Makes a view the one that all policies of this topology use from now on. */
    public static void bind(NetworkTopology topology, PlacementView view) {
        slot(topology).view = view;
    }

    /** Makes this what all policies of this topology ask for wrong copies. */
    public static void bind(NetworkTopology topology, WrongCopies wrongCopies) {
        slot(topology).wrongCopies = wrongCopies;
    }

    /** Forgets what was bound for the topology. */
    public static void unbind(NetworkTopology topology) {
        slot(topology).view = null;
        slot(topology).wrongCopies = WrongCopies.NONE;
    }

    /** The view of a topology; empty where no plugin has bound one. */
    public static Optional<PlacementView> of(NetworkTopology topology) {
        return slot(topology).get();
    }
}
