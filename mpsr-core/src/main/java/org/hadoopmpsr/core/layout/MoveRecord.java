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
package org.hadoopmpsr.core.layout;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a directory below a node's record that says that the node is to change its group. A run therefore
 * survives a restart of the NameNode, and is deleted together with the node's record.
 *
 * @param step the steps of a run are made in ascending order
 * @param to the new group of the node
 * @param transfers the number of blocks that may be copied at a time
 * @param bandwidth the bytes that may be copied per second; 0 for no limit
 */
public record MoveRecord(int step, String to, int transfers, long bandwidth) {
    private static final Pattern NAME = Pattern.compile("move=(\\d{1,9})=(\\d{1,9})=(?:(\\d{1,18})=)?([^=]+)");

    /** The directory's name. */
    public String name() {
        return "move=" + step + "=" + transfers + "=" + (bandwidth == 0 ? "" : bandwidth + "=") + to;
    }

    /** Reads a name; empty if the name is not that of a move. */
    public static Optional<MoveRecord> parse(String name) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String bandwidth = parts.group(3);
        return Optional.of(new MoveRecord(
                Integer.parseInt(parts.group(1)),
                parts.group(4),
                Integer.parseInt(parts.group(2)),
                bandwidth == null ? 0 : Long.parseLong(bandwidth)));
    }
}
