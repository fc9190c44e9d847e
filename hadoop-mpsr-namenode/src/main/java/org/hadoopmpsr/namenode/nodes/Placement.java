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
package org.hadoopmpsr.namenode.nodes;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.net.NetworkTopology;
import org.hadoopmpsr.blockmanager.PlacementView;
import org.hadoopmpsr.blockmanager.PlacementViews;
import org.hadoopmpsr.blockmanager.SegmentPlaces;
import org.hadoopmpsr.blockmanager.WrongCopies;
import org.hadoopmpsr.core.alloc.SegmentFiles;
import org.hadoopmpsr.core.config.ScatterWidths;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.stats.StatisticsCodec.Header;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;

/** Provides the placement policies with their data. Thread-safe. */
public final class Placement {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final ScatterWidths widths;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Readiness readiness;

    public Placement(
            MpsrNamesystem system,
            Namespace namespace,
            StoreLayout layout,
            ScatterWidths widths,
            Allocation allocation,
            Datasets datasets,
            Readiness readiness) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
        this.widths = widths;
        this.allocation = allocation;
        this.datasets = datasets;
        this.readiness = readiness;
    }

    /** The replica group of a file at this path; empty for a file outside datasets. */
    public Optional<String> groupOf(String path) {
        return groupOf(layout, datasets.byPath(), path);
    }

    /** True when a DataNode of the group can take blocks, as far as its state tells. */
    public boolean hasNodeInService(String group) {
        return allocation.members().stream().anyMatch(m -> m.group().equals(group) && m.inService());
    }

    private static Optional<String> groupOf(StoreLayout layout, Map<String, DatasetRecord> byPath, String path) {
        Optional<String> stored = layout.groupOf(path);
        return stored.isPresent() ? stored : Datasets.containing(byPath, path).map(DatasetRecord::defaultGroup);
    }

    /**
     * The segment of a file of a commit, staged or published; empty for any other file of a group. Takes the read lock for a
     * file in its final place.
     */
    private Optional<SegmentFiles> segmentOf(Map<String, DatasetRecord> byPath, String path, String group) {
        return layout.datasetOf(path)
                .or(() -> Datasets.containing(byPath, path).map(DatasetRecord::id))
                .flatMap(dataset -> layout.segmentOf(path)
                        .or(() -> commitOfPublished(path))
                        .map(segment -> new SegmentFiles(dataset, segment, group)));
    }

    private Optional<String> commitOfPublished(String path) {
        try {
            INode inode = system.read(() -> namespace.find(path));
            Header header = inode == null || !inode.isFile() ? null : StoredStatistics.header(inode.asFile());
            return Optional.ofNullable(header).map(Header::commitId);
        } catch (IOException e) {
            return Optional.empty(); // no path of a file
        }
    }

    /**
     * Makes the current data the view of all policies. Must be called after each change of the allocation, the datasets
     * or the readiness. Takes no lock but its own.
     */
    public synchronized void publish() {
        Map<String, DatasetRecord> byPath = datasets.byPath();
        PlacementViews.bind(
                topology(),
                new PlacementView(
                        allocation.recorded(),
                        allocation.draining(),
                        path -> groupOf(layout, byPath, path),
                        new SegmentPlaces(widths::of, (path, group) -> segmentOf(byPath, path, group)),
                        readiness.status().state() == Readiness.State.OFF
                                ? readiness.status().message()
                                : null));
    }

    /** Sets the object that the policies ask for copies on wrong nodes. */
    public void judgeCopies(WrongCopies wrongCopies) {
        PlacementViews.bind(topology(), wrongCopies);
    }

    private NetworkTopology topology() {
        return system.blocks().getDatanodeManager().getNetworkTopology();
    }

    public void unbind() {
        PlacementViews.unbind(topology());
    }
}
