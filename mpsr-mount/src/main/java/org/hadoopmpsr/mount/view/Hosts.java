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
package org.hadoopmpsr.mount.view;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.hadoopmpsr.core.assign.Assignment;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.assign.Split;
import org.hadoopmpsr.core.assign.SplitAssignment;

/** Where files lie, as lines of text that programs in any language read. The form is part of the interface, see docs/mount.md. */
final class Hosts {
    /** Of Linux: no value of an extended attribute is longer. */
    static final int MOST_BYTES = 1 << 16;

    private Hosts() {}

    /** {@code OFFSET LENGTH HOST,HOST,…} for each block. */
    static String blocks(List<BlockLocation> blocks) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (BlockLocation block : blocks) {
            lines.append(block(block));
        }
        return lines.toString();
    }

    /** As {@link #blocks}, from the block with this byte on, and no more whole lines than fit into a value. */
    static String blocksFrom(long offset, List<BlockLocation> blocks) throws IOException {
        StringBuilder lines = new StringBuilder();
        int bytes = 0;
        for (BlockLocation block : blocks) {
            if (block.getOffset() + block.getLength() <= offset) {
                continue;
            }
            String line = block(block);
            bytes += line.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MOST_BYTES) {
                break;
            }
            lines.append(line);
        }
        return lines.toString();
    }

    /** {@code HOST BYTES} for each host that holds some of the files, the one with the most bytes first. */
    static String bytes(List<LocatedFileStatus> files) throws IOException {
        Map<String, Long> held = new TreeMap<>();
        for (LocatedFileStatus file : files) {
            held(file.getBlockLocations()).forEach((host, bytes) -> held.merge(host, bytes, Long::sum));
        }
        StringBuilder lines = new StringBuilder();
        held.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(each -> lines.append(each.getKey())
                        .append(' ')
                        .append(each.getValue())
                        .append('\n'));
        return lines.toString();
    }

    /** {@code HOST NAME} for each of the files: the host that is to read it, as {@code hdfs mpsr assign} says. */
    static String assignment(List<LocatedFileStatus> files, ReadCost cost) throws IOException {
        Map<String, Split> splits = new TreeMap<>();
        TreeSet<String> holders = new TreeSet<>();
        for (LocatedFileStatus file : files) {
            Map<String, Long> held = held(file.getBlockLocations());
            holders.addAll(held.keySet());
            splits.put(file.getPath().getName(), new Split(file.getLen(), held));
        }
        if (holders.isEmpty()) {
            return "";
        }
        Assignment assignment = SplitAssignment.assign(List.copyOf(splits.values()), List.copyOf(holders), cost);
        StringBuilder lines = new StringBuilder();
        int next = 0;
        for (String name : splits.keySet()) {
            lines.append(assignment.node(next++))
                    .append(' ')
                    .append(escaped(name))
                    .append('\n');
        }
        return lines.toString();
    }

    private static String block(BlockLocation block) throws IOException {
        return block.getOffset() + " " + block.getLength() + " " + String.join(",", hosts(block)) + "\n";
    }

    private static Map<String, Long> held(BlockLocation[] blocks) throws IOException {
        Map<String, Long> held = new HashMap<>();
        for (BlockLocation block : blocks) {
            for (String host : hosts(block)) {
                held.merge(host, block.getLength(), Long::sum);
            }
        }
        return held;
    }

    /** Each once, also where several DataNodes run on a host. */
    private static List<String> hosts(BlockLocation block) throws IOException {
        return Arrays.stream(block.getHosts()).distinct().toList();
    }

    /** Lines end where they end, also with names that hold ends of lines: those, and the percent sign, as in URLs. */
    private static String escaped(String name) {
        return name.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D");
    }
}
