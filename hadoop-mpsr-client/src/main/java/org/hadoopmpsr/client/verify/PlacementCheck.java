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
package org.hadoopmpsr.client.verify;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.group.RepresentationName;

/**
 * Checks for each block that every replica of a dataset's representations lies on a node of its group, and that the
 * NameNode finds in each group what was committed.
 */
public final class PlacementCheck {

    private PlacementCheck() {}

    /**
     * A replica on a node outside of the file's group.
     *
     * @param nodeGroup the group of the node; empty if it has none
     */
    public record Violation(String file, String block, String group, String node, String nodeGroup) {
        /** The violation in one line. */
        public String text() {
            return file + ": block " + block + " of group '" + group + "' lies on " + node + " of "
                    + (nodeGroup.isEmpty() ? "no group" : "group '" + nodeGroup + "'");
        }
    }

    /**
     * The number of checked files and blocks, and what is wrong.
     *
     * @param differences why groups do not hold what was committed
     */
    public record Result(long files, long blocks, List<Violation> violations, List<String> differences) {
        /** True if nothing is wrong. */
        public boolean isRight() {
            return violations.isEmpty() && differences.isEmpty();
        }
    }

    /** Checks all files below the roots of a dataset's representations. Needs read permission on them. */
    public static Result run(MpsrClient client, Configuration conf, URI fs, String path) throws IOException {
        Map<String, String> groupByNode = new HashMap<>();
        client.status().getNodeList().forEach(n -> groupByNode.put(n.getUuid(), n.getGroup()));
        if (!(FileSystem.get(fs, conf) instanceof DistributedFileSystem hdfs)) {
            throw new IOException(fs + " is not HDFS; only there blocks have places");
        }
        long files = 0;
        long blocks = 0;
        List<Violation> violations = new ArrayList<>();
        Dataset dataset = client.getDataset(path);
        List<Dataset.Representation> representations = dataset.representations();
        for (Dataset.Representation r : representations) {
            RemoteIterator<LocatedFileStatus> listing = hdfs.listFiles(new Path(r.root()), true);
            while (listing.hasNext()) {
                files++;
                blocks += check(listing.next(), RepresentationName.group(r.group()), groupByNode, violations);
            }
        }
        return new Result(
                files,
                blocks,
                violations,
                differences(representations, dataset.groups().lossyNames()));
    }

    private static List<String> differences(List<Dataset.Representation> representations, Set<String> lossy) {
        List<String> differences = new ArrayList<>();
        for (Dataset.Representation r : representations) {
            if (r.unusable() != null) {
                differences.add("group '" + r.group() + "' cannot be read: " + r.unusable());
            }
        }
        boolean differ = representations.stream()
                        .filter(r -> !lossy.contains(r.group()))
                        .map(Dataset.Representation::content)
                        .distinct()
                        .count()
                > 1;
        boolean differInNumber = representations.stream()
                        .map(r -> r.content().count())
                        .distinct()
                        .count()
                > 1;
        if (differ || differInNumber) {
            differences.add("the groups hold different records: "
                    + representations.stream()
                            .map(r -> r.group() + " " + r.content().count() + " with hash "
                                    + r.content().hex())
                            .collect(Collectors.joining(", ")));
        }
        return differences;
    }

    private static long check(
            LocatedFileStatus file, String group, Map<String, String> groupByNode, List<Violation> violations) {
        List<LocatedBlock> blocks =
                ((HdfsLocatedFileStatus) file).getLocatedBlocks().getLocatedBlocks();
        for (LocatedBlock block : blocks) {
            for (DatanodeInfo node : block.getLocations()) {
                String nodeGroup = groupByNode.getOrDefault(node.getDatanodeUuid(), "");
                if (!nodeGroup.equals(group)) {
                    violations.add(new Violation(
                            file.getPath().toUri().getPath(),
                            block.getBlock().getBlockName(),
                            group,
                            node.getHostName(),
                            nodeGroup));
                }
            }
        }
        return blocks.size();
    }
}
