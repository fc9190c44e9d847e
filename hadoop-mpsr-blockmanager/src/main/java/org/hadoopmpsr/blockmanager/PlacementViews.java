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
 * The placement views of the NameNodes in this JVM, by topology. HDFS creates further policies for fsck and on
 * reconfiguration; all policies of a NameNode share its topology. Topologies are compared by identity. Thread-safe.
 */
public final class PlacementViews {
    private static final Map<NetworkTopology, Slot> SLOTS = Collections.synchronizedMap(new WeakHashMap<>());

    private PlacementViews() {}

    /** A holder of a topology's view. One volatile read finds the current view, also after a new view was bound. */
    public static final class Slot {
        private volatile @Nullable PlacementView view;
        private volatile WrongCopies wrongCopies = WrongCopies.NONE;

        Slot() {}

        /** The known wrong copies. */
        public WrongCopies wrongCopies() {
            return wrongCopies;
        }

        /** The view; empty if no plug-in has bound one. */
        public Optional<PlacementView> get() {
            return Optional.ofNullable(view);
        }
    }

    /** The slot of a topology; always the same object. */
    public static Slot slot(NetworkTopology topology) {
        return SLOTS.computeIfAbsent(topology, t -> new Slot());
    }

    /** Sets the view that all policies of this topology use from now on. */
    public static void bind(NetworkTopology topology, PlacementView view) {
        slot(topology).view = view;
    }

    /** Sets the source of wrong copies for all policies of this topology. */
    public static void bind(NetworkTopology topology, WrongCopies wrongCopies) {
        slot(topology).wrongCopies = wrongCopies;
    }

    /** Removes everything that was bound for the topology. */
    public static void unbind(NetworkTopology topology) {
        slot(topology).view = null;
        slot(topology).wrongCopies = WrongCopies.NONE;
    }

    /** The view of a topology; empty if no plug-in has bound one. */
    public static Optional<PlacementView> of(NetworkTopology topology) {
        return slot(topology).get();
    }
}
