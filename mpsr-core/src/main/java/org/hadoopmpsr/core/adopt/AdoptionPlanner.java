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
package org.hadoopmpsr.core.adopt;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Divides untracked files into those of one change each. */
public final class AdoptionPlanner {
    private static final Comparator<UntrackedFile> BY_TIME =
            Comparator.comparingLong(UntrackedFile::modificationTime).thenComparingLong(UntrackedFile::fileId);

    private AdoptionPlanner() {}

    /**
     * The files that are due, each change with files of equal rights, because a segment whose files have different rights is merged no
     * more. Files that do not fit are left out.
     */
    public static List<List<UntrackedFile>> plan(Collection<UntrackedFile> files, AdoptionRules rules) {
        Map<Integer, List<UntrackedFile>> byRights = new TreeMap<>();
        files.stream()
                .filter(file -> file.unfit() == null)
                .sorted(BY_TIME)
                .forEach(file -> byRights.computeIfAbsent(file.rights(), r -> new ArrayList<>())
                        .add(file));
        List<List<UntrackedFile>> changes = new ArrayList<>();
        byRights.values().forEach(equal -> {
            if (isDue(equal, rules)) {
                addParts(changes, equal, rules);
            }
        });
        return changes;
    }

    private static boolean isDue(List<UntrackedFile> files, AdoptionRules rules) {
        return files.size() >= rules.enoughFiles()
                || files.stream().mapToLong(UntrackedFile::length).sum() >= rules.enoughBytes()
                || files.stream().anyMatch(file -> file.ageMs() < 0 || file.ageMs() >= rules.waitMs());
    }

    private static void addParts(List<List<UntrackedFile>> changes, List<UntrackedFile> files, AdoptionRules rules) {
        List<UntrackedFile> part = new ArrayList<>();
        long bytes = 0;
        for (UntrackedFile file : files) {
            if (!part.isEmpty() && (part.size() == rules.mostFiles() || bytes + file.length() > rules.mostBytes())) {
                changes.add(List.copyOf(part));
                part.clear();
                bytes = 0;
            }
            part.add(file);
            bytes += file.length();
        }
        changes.add(List.copyOf(part));
    }
}
