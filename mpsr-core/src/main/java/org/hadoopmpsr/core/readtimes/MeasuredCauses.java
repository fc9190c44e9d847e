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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The causes of reads where it is measured what each cause takes. Reads are a {@link Mixture} of the causes, whose shares each disk of a host has
 * by itself, in each ten seconds if moments are known. A read gets the cause that it has with a probability of {@value #SURE}; if none is as likely,
 * it gets the likeliest ones that together are: these are not known apart by its time. A disk is slow, not a single read of it: where a
 * third of the uncached reads of a disk are from a slow one, all are. A limit lets the first bytes pass at once. And a pause that mostly one host
 * has is a slow disk.
 */
final class MeasuredCauses {
    private static final double SURE = 0.9;
    private static final double SLOW_SHARE = 1 / 3.0;
    private static final double LEAST_SLOW = 3;
    /** A pause is one host's if this share of all pauses is. */
    private static final double OF_ONE_HOST = 2 / 3.0;

    private final List<ReadTime> reads;
    private final ExpectedTimes expected;
    private final List<Cause> causes;
    private final List<Set<Cause>> sets = new ArrayList<>();
    private final int[] classOf;

    /** @param reads at least one; all of their own hosts, or all from other ones, or of unknown readers */
    MeasuredCauses(List<ReadTime> reads, ExpectedTimes expected) {
        this.reads = reads;
        this.expected = expected;
        long known = reads.stream().filter(r -> !r.reader().isEmpty()).count();
        boolean remote = reads.stream().anyMatch(ReadTime::isRemote);
        this.causes = Arrays.stream(Cause.values())
                .filter(cause -> 2 * known <= reads.size() || cause.isOfAny() || cause.isRemote() == remote)
                .toList();
        int[] place = places();
        double[][] of = probabilities(place);
        moveToSlowDisks(place, of);
        Map<Set<Cause>, Integer> classes = new LinkedHashMap<>();
        this.classOf = Arrays.stream(of)
                .mapToInt(each -> classes.computeIfAbsent(likeliest(each), set -> classes.size()))
                .toArray();
        sets.addAll(classes.keySet());
    }

    private int[] places() {
        boolean timed = reads.stream().allMatch(r -> r.atMs() > 0);
        Map<List<Object>, Integer> numbers = new HashMap<>();
        return reads.stream()
                .mapToInt(r -> numbers.computeIfAbsent(
                        List.of(r.host(), r.disk(), timed ? r.atMs() / Anomalies.WINDOW_MS : 0L), p -> numbers.size()))
                .toArray();
    }

    private double[][] probabilities(int[] place) {
        Mixture mixture = Mixture.ofKnown(
                reads,
                place,
                Arrays.stream(place).max().orElse(0) + 1,
                causes.stream().map(expected::of).toList(),
                causes.stream().mapToDouble(expected::spreadOf).toArray());
        return IntStream.range(0, reads.size())
                .mapToObj(i -> mixture.of(reads.get(i), place[i]))
                .toArray(double[][]::new);
    }

    private void moveToSlowDisks(int[] place, double[][] of) {
        int slow = causes.indexOf(Cause.SLOW_DISK);
        int pause = causes.indexOf(Cause.PAUSE);
        Map<String, Double> pauses = new HashMap<>();
        for (int i = 0; i < of.length; i++) {
            pauses.merge(reads.get(i).host(), of[i][pause], Double::sum);
        }
        double all = pauses.values().stream().mapToDouble(p -> p).sum();
        double[] slowOf = new double[Arrays.stream(place).max().orElse(0) + 1];
        double[] uncached = new double[slowOf.length];
        for (int i = 0; i < of.length; i++) {
            if (pauses.size() > 1 && pauses.getOrDefault(reads.get(i).host(), 0.0) >= OF_ONE_HOST * all) {
                of[i][slow] += of[i][pause];
                of[i][pause] = 0;
            }
            slowOf[place[i]] += of[i][slow];
            for (int k = 0; k < of[i].length; k++) {
                uncached[place[i]] += k == slow || causes.get(k).isOfDisk() ? of[i][k] : 0;
            }
        }
        for (int i = 0; i < of.length; i++) {
            int p = place[i];
            if (slowOf[p] >= LEAST_SLOW && slowOf[p] >= SLOW_SHARE * uncached[p]) {
                for (int k = 0; k < of[i].length; k++) {
                    if (causes.get(k).isOfDisk()) {
                        of[i][slow] += of[i][k];
                        of[i][k] = 0;
                    }
                }
            }
        }
    }

    /** The likeliest causes that are sure together. */
    private Set<Cause> likeliest(double[] of) {
        Set<Cause> likeliest = EnumSet.noneOf(Cause.class);
        double sum = 0;
        for (int k : IntStream.range(0, of.length)
                .boxed()
                .sorted(Comparator.comparingDouble(k -> -of[k]))
                .toList()) {
            likeliest.add(causes.get(k));
            sum += of[k];
            if (sum >= SURE) {
                break;
            }
        }
        return likeliest;
    }

    /** The class of each read: a place in {@link #classes}. */
    int[] classOf() {
        return classOf.clone();
    }

    /** The classes; each has a read. */
    List<ReadClass> classes() {
        List<List<ReadTime>> members = new ArrayList<>();
        sets.forEach(set -> members.add(new ArrayList<>()));
        for (int i = 0; i < classOf.length; i++) {
            members.get(classOf[i]).add(reads.get(i));
        }
        return IntStream.range(0, sets.size())
                .mapToObj(c -> ReadClass.of(members.get(c), sets.get(c), expected))
                .toList();
    }
}
