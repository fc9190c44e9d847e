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
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Chooses files for trials. */
public final class TrialPlanner {
    private static final int TRIALS = 3;

    private TrialPlanner() {}

    /**
     * The files of a few trials: those of changes with small, with middling and with large files, or the first of them.
     *
     * @param changes the files of each change
     * @param mostBytes the most bytes of all trials together, unless the first file of a trial has more
     * @return fewer than three where there are fewer changes, and none where there is none or no byte is allowed
     */
    public static List<List<UntrackedFile>> choose(List<List<UntrackedFile>> changes, long mostBytes) {
        if (changes.isEmpty() || mostBytes <= 0) {
            return List.of();
        }
        List<List<UntrackedFile>> bySize = changes.stream()
                .sorted(Comparator.comparingDouble(TrialPlanner::meanLength))
                .toList();
        Set<Integer> chosen = new LinkedHashSet<>();
        for (int trial = 0; trial < TRIALS; trial++) {
            chosen.add((int) ((2L * trial + 1) * bySize.size() / (2 * TRIALS)));
        }
        return chosen.stream()
                .map(place -> first(bySize.get(place), mostBytes / chosen.size()))
                .toList();
    }

    private static double meanLength(List<UntrackedFile> files) {
        return files.stream().mapToLong(UntrackedFile::length).average().orElse(0);
    }

    private static List<UntrackedFile> first(List<UntrackedFile> files, long mostBytes) {
        List<UntrackedFile> some = new ArrayList<>();
        long bytes = 0;
        for (UntrackedFile file : files) {
            bytes += file.length();
            if (!some.isEmpty() && bytes > mostBytes) {
                break;
            }
            some.add(file);
        }
        return List.copyOf(some);
    }
}
