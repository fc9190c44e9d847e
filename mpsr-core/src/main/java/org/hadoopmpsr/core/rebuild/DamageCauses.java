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
package org.hadoopmpsr.core.rebuild;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;

/**
 * Why segments of a group are damaged. Immutable.
 *
 * @param files the number of damaged files that are there, by cause
 * @param deletedIn of how many segments files are not there any more
 */
public record DamageCauses(Map<Cause, Integer> files, int deletedIn) {
    public DamageCauses {
        files = Map.copyOf(files);
    }

    /** The damaged files that are there, of all causes. */
    public int allFiles() {
        return files.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** As a part of a sentence. */
    public String text() {
        List<String> causes = new ArrayList<>();
        if (!files.isEmpty()) {
            new EnumMap<>(files).forEach((cause, number) -> causes.add(number + " files " + text(cause)));
        }
        if (deletedIn > 0) {
            causes.add("files of " + deletedIn + " segments deleted");
        }
        return String.join(", ", causes);
    }

    private static String text(Cause cause) {
        return switch (cause) {
            case LOST -> "lost with a DataNode or disk";
            case CORRUPT -> "corrupt";
            case CHANGED -> "changed by hand";
            case FALSE -> "found false by a scrub";
        };
    }
}
