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
package org.hadoopmpsr.core.scrub;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.jspecify.annotations.Nullable;

/**
 * Which groups hold a segment, after their files were read. Immutable.
 *
 * @param sound the groups that hold exactly the segment's records, in files that are as stated
 * @param wrong the groups that do not, each with what is wrong; those of which some files could not be read are in neither
 * @param undecided why nobody can tell which group is right; null if that is known, or nothing is wrong
 */
public record SegmentVerdict(
        Set<String> sound,
        Map<String, String> wrong,
        @Nullable String undecided) {
    public SegmentVerdict {
        sound = Set.copyOf(sound);
        wrong = Map.copyOf(wrong);
    }

    /**
     * What a group was found to hold of a segment.
     *
     * @param content the records of all files that could be read
     * @param falseFiles the number of files that are not as stated, or cannot be decoded
     * @param undecoded how many of these cannot be decoded: their records are not in the content
     * @param unread the number of files that could not be read now
     */
    public record Held(ContentHashes content, int falseFiles, int undecoded, int unread) {
        private boolean isWhole() {
            return undecoded == 0 && unread == 0;
        }
    }

    /**
     * Judges. The segment's record decides where there is one. Where there is none, what most groups hold is right if they are at
     * least two, and more than hold anything else. Groups of which a file could not be read or decoded have no voice.
     *
     * @param recorded what each group holds by the segment's record; null if it has none
     * @param groups what was found, by group
     */
    public static SegmentVerdict of(@Nullable ContentHash recorded, Map<String, Held> groups) {
        Map<String, String> wrong = new TreeMap<>();
        groups.forEach((group, held) -> {
            if (held.unread() == 0 && held.falseFiles() > 0) {
                wrong.put(group, held.falseFiles() + " files are not as stated");
            }
        });
        Optional<ContentHashes> truth = recorded == null ? majority(groups) : Optional.of(ContentHashes.of(recorded));
        if (truth.isEmpty()) {
            boolean agree = wrong.isEmpty()
                    && groups.values().stream()
                                    .filter(Held::isWhole)
                                    .map(Held::content)
                                    .distinct()
                                    .count()
                            < 2;
            return new SegmentVerdict(
                    Set.of(),
                    wrong,
                    agree
                            ? null
                            : "it has no record, and no two groups that are more than the others hold the same: "
                                    + text(groups));
        }
        Set<String> sound = new TreeSet<>();
        groups.forEach((group, held) -> {
            if (held.isWhole() && !held.content().equals(truth.get())) {
                wrong.putIfAbsent(group, "it holds " + text(held.content()) + " instead of " + text(truth.get()));
            } else if (held.isWhole() && held.falseFiles() == 0) {
                sound.add(group);
            }
        });
        return new SegmentVerdict(
                sound,
                wrong,
                wrong.isEmpty() || !sound.isEmpty()
                        ? null
                        : "no group that was read holds " + text(truth.get()) + " in sound files: " + text(groups));
    }

    /**
     * This with what is wrong with groups that have rounded values: such a group is never sound, which would make it a source of others.
     *
     * @param groups what was found, by group
     * @param expected what they should hold, by the records of a group that holds these themselves; without those of which that is not known
     */
    public SegmentVerdict withRounded(Map<String, Held> groups, Map<String, ContentHashes> expected) {
        Map<String, String> all = new TreeMap<>(wrong);
        groups.forEach((group, held) -> {
            ContentHashes should = expected.get(group);
            if (held.unread() == 0 && held.falseFiles() > 0) {
                all.put(group, held.falseFiles() + " files are not as stated");
            } else if (held.isWhole() && should != null && !held.content().equals(should)) {
                all.put(
                        group,
                        "it holds " + text(held.content()) + " instead of " + text(should) + ", which are rounded");
            }
        });
        boolean isNew = all.size() > wrong.size();
        return new SegmentVerdict(
                sound,
                all,
                isNew && sound.isEmpty() && undecided == null
                        ? "no group that was read holds its records in sound files"
                        : undecided);
    }

    private static Optional<ContentHashes> majority(Map<String, Held> groups) {
        Map<ContentHashes, Integer> votes = new HashMap<>();
        groups.values().stream().filter(Held::isWhole).forEach(held -> votes.merge(held.content(), 1, Integer::sum));
        List<Map.Entry<ContentHashes, Integer>> most = votes.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .toList();
        boolean clear = !most.isEmpty()
                && most.get(0).getValue() >= 2
                && (most.size() == 1 || most.get(0).getValue() > most.get(1).getValue());
        return clear ? Optional.of(most.get(0).getKey()) : Optional.empty();
    }

    private static String text(Map<String, Held> groups) {
        return new TreeMap<>(groups)
                .entrySet().stream()
                        .map(e -> "group " + e.getKey() + " " + text(e.getValue()))
                        .collect(Collectors.joining(", "));
    }

    private static String text(Held held) {
        return held.unread() > 0
                ? "has " + held.unread() + " files that could not be read"
                : text(held.content()) + (held.falseFiles() > 0 ? " and " + held.falseFiles() + " false files" : "");
    }

    private static String text(ContentHashes content) {
        return content.count() + " records with hash " + content.hex();
    }
}
