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
package org.hadoopmpsr.namenode.health;

import java.util.ArrayList;
import java.util.List;

/**
 * The health of one representation, as the last check found it.
 *
 * @param degradedFiles the number of files with a block that has no live replica
 * @param untrackedFiles the number of files without a commit
 * @param problem the reason why it cannot be read at all; empty if it can
 * @param added what ordinary writers have added, or how far an incomplete one is, if nothing else is wrong; else empty
 */
public record RepresentationHealth(
        String dataset,
        String group,
        long degradedFiles,
        long untrackedFiles,
        long misplacedBlocks,
        long otherReplicationFiles,
        String problem,
        String added) {
    /** The health of a representation that was not checked yet. */
    public static RepresentationHealth none(String dataset, String group) {
        return new RepresentationHealth(dataset, group, 0, 0, 0, 0, "", "");
    }

    boolean isHealthy() {
        return parts().isEmpty();
    }

    /** One line. */
    public String text() {
        return dataset + ", group '" + group + "': " + String.join("; ", parts());
    }

    private List<String> parts() {
        List<String> parts = new ArrayList<>();
        if (degradedFiles > 0) {
            parts.add(degradedFiles + " file(s) without a live replica");
        }
        if (misplacedBlocks > 0) {
            parts.add(misplacedBlocks + " block(s) on DataNodes outside the group; MPSR copies them back while it"
                    + " is ready");
        }
        if (otherReplicationFiles > 0) {
            parts.add(otherReplicationFiles + " file(s) with another number of copies than the group's; MPSR sets"
                    + " it while it is ready");
        }
        if (!problem.isEmpty()) {
            parts.add(problem);
        }
        if (!added.isEmpty()) {
            parts.add(added);
        }
        return parts;
    }
}
