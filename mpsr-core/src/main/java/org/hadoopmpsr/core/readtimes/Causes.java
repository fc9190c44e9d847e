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
package org.hadoopmpsr.core.readtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The causes of classes. A class has the cause whose expected time is nearest in the logarithm. Another cause of local or remote, cached or
 * uncached reads may be its cause as well if this class is the nearest one to it, and its expected time lies within the class's: then nine of
 * ten reads of the class would take no longer, or no shorter. A class that mostly one host has is no pause.
 */
final class Causes {
    /** So many standard deviations from the middle hold nine of ten values between them. */
    private static final double WITHIN = 1.645;
    /** A class is a matter of one host if this share of its reads is that host's, who has not as large a share of all. */
    private static final double OF_ONE_HOST = 2 / 3.0;

    private final List<ReadTime> reads;
    private final ExpectedTimes expected;
    private final int[] classOf;
    private final List<Name> names = new ArrayList<>();

    /** What is said of a class. */
    private record Name(Cause cause, Set<Cause> others) {}

    /** @param classOf the class of each read, from 0; a class may have none */
    Causes(List<ReadTime> reads, int[] classOf, ExpectedTimes expected) {
        this.reads = reads;
        this.expected = expected;
        int[] used = Arrays.stream(classOf).distinct().sorted().toArray();
        this.classOf = Arrays.stream(classOf)
                .map(its -> Arrays.binarySearch(used, its))
                .toArray();
        name();
    }

    /** The class of each read: a place in {@link #classes}. */
    int[] classOf() {
        return classOf.clone();
    }

    /** The classes; each has a read. */
    List<ReadClass> classes() {
        List<List<ReadTime>> members = members();
        return IntStream.range(0, names.size())
                .mapToObj(c -> ReadClass.of(
                        members.get(c), names.get(c).cause(), names.get(c).others(), expected))
                .toList();
    }

    private List<List<ReadTime>> members() {
        List<List<ReadTime>> members = new ArrayList<>();
        IntStream.rangeClosed(0, Arrays.stream(classOf).max().orElse(0)).forEach(c -> members.add(new ArrayList<>()));
        for (int i = 0; i < classOf.length; i++) {
            members.get(classOf[i]).add(reads.get(i));
        }
        return members;
    }

    private void name() {
        List<List<ReadTime>> members = members();
        List<LinearTime> lines = members.stream().map(LinearTime::fit).toList();
        for (int c = 0; c < lines.size(); c++) {
            List<ReadTime> its = members.get(c);
            LinearTime line = lines.get(c);
            double[] sizes = sizes(its);
            Set<Cause> possible = possible(its);
            Cause nearest = possible.stream()
                    .min(Comparator.comparingDouble(cause -> distance(line, expected.of(cause), sizes)))
                    .orElseThrow();
            double within = WITHIN * ReadClass.medianSpread(its, line);
            Set<Cause> others = nearest.isOfAny()
                    ? Set.of()
                    : possible.stream()
                            .filter(cause -> cause != nearest && !cause.isOfAny())
                            .filter(cause -> distance(line, expected.of(cause), sizes) <= within)
                            .filter(cause -> isNearest(line, lines, expected.of(cause), sizes))
                            .collect(Collectors.toSet());
            names.add(new Name(nearest, others));
        }
    }

    private static boolean isNearest(LinearTime line, List<LinearTime> all, LinearTime to, double[] sizes) {
        return all.stream().noneMatch(other -> distance(other, to, sizes) < distance(line, to, sizes));
    }

    /** What the reads of a class cannot go through is left out, as far as readers and hosts are known. */
    private Set<Cause> possible(List<ReadTime> its) {
        long known = its.stream().filter(r -> !r.reader().isEmpty()).count();
        long remote = its.stream().filter(ReadTime::isRemote).count();
        Set<Cause> possible = EnumSet.allOf(Cause.class);
        if (2 * known > its.size()) {
            possible.removeIf(cause -> !cause.isOfAny() && cause.isRemote() != 2 * remote > known);
        }
        if (isOfOneHost(its)) {
            possible.remove(Cause.PAUSE);
        }
        return possible;
    }

    private boolean isOfOneHost(List<ReadTime> its) {
        Map<String, Long> byHost = its.stream().collect(Collectors.groupingBy(ReadTime::host, Collectors.counting()));
        Map.Entry<String, Long> most =
                byHost.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        double ofAll = (double) reads.stream()
                        .filter(r -> r.host().equals(most.getKey()))
                        .count()
                / reads.size();
        return most.getValue() > OF_ONE_HOST * its.size() && ofAll <= OF_ONE_HOST;
    }

    private static double distance(LinearTime a, LinearTime b, double[] sizes) {
        return Arrays.stream(sizes)
                .map(size -> Math.abs(a.logOf(size) - b.logOf(size)))
                .average()
                .orElse(0);
    }

    private static double[] sizes(List<ReadTime> its) {
        return DoubleStream.of(0.1, 0.5, 0.9)
                .map(share -> ReadClasses.quantile(its, share))
                .toArray();
    }
}
