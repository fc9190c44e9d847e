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
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What reads cost by what they go through, as planning needs it. Immutable.
 *
 * @param parts of each cause that reads have, in the order of the causes
 */
public record ReadCosts(List<Part> parts) {
    private static final int ROUNDS = 20;
    private static final double LEAST_FACTOR = 1.5;
    private static final LinearTime NOTHING = new LinearTime(0, 0);

    public ReadCosts {
        parts = List.copyOf(parts);
    }

    /** Which reads planning is to expect. */
    public enum Expected {
        /** Bytes that the hosts have in memory. */
        CACHED,
        /** Bytes that come from disks. */
        DISK,
        /** As many of both as there were. */
        MIXED
    }

    /**
     * The reads of a cause.
     *
     * @param time by size; the mean of its classes if it has several
     * @param reads how many count
     * @param bytes of these
     */
    public record Part(Cause cause, LinearTime time, long reads, long bytes) {
        Part plus(Part other) {
            LinearTime[] times = {time, other.time};
            return new Part(
                    cause,
                    mean(times, new double[] {reads, other.reads}).orElse(time),
                    reads + other.reads,
                    bytes + other.bytes);
        }
    }

    /** The costs of classes. */
    public static ReadCosts of(ReadClasses found) {
        Map<Cause, Part> parts = new EnumMap<>(Cause.class);
        for (ReadClass its : found.classes()) {
            parts.merge(its.cause(), new Part(its.cause(), its.time(), its.reads(), its.bytes()), Part::plus);
        }
        return new ReadCosts(new ArrayList<>(parts.values()));
    }

    /**
     * The costs of pieces that were each read twice. The second reads tell what reads from memory cost. Of the first reads, those count as cached whose
     * times are nearer to these than to the others, by lines that are found anew until nothing changes, as in k-means. If the others take less than
     * 1.5 times as long, all count as cached. Reads from other hosts are looked at by themselves.
     *
     * @param first the first reads, which count
     * @param again the second ones
     */
    public static ReadCosts ofTwice(List<ReadTime> first, List<ReadTime> again) {
        List<Part> parts = new ArrayList<>();
        for (boolean remote : new boolean[] {false, true}) {
            List<ReadTime> once =
                    first.stream().filter(read -> read.isRemote() == remote).toList();
            List<ReadTime> twice =
                    again.stream().filter(read -> read.isRemote() == remote).toList();
            if (!once.isEmpty() && !twice.isEmpty()) {
                parts.addAll(divided(
                        once,
                        LinearTime.fit(twice),
                        remote ? Cause.REMOTE_MEMORY : Cause.MEMORY,
                        remote ? Cause.REMOTE_DISK : Cause.DISK));
            }
        }
        parts.sort(Comparator.comparing(Part::cause));
        return new ReadCosts(parts);
    }

    private static List<Part> divided(List<ReadTime> reads, LinearTime memory, Cause cached, Cause disk) {
        LinearTime slower = LinearTime.fit(reads);
        List<ReadTime> slow = List.of();
        for (int round = 0; round < ROUNDS; round++) {
            LinearTime now = slower;
            List<ReadTime> before = slow;
            slow = reads.stream()
                    .filter(read -> read.logNanos() > memory.logOf(read.bytes()))
                    .filter(read -> distance(read, now) < distance(read, memory))
                    .toList();
            if (slow.isEmpty() || slow.equals(before)) {
                break;
            }
            slower = LinearTime.fit(slow);
        }
        LinearTime found = slower;
        double longer = slow.stream()
                .mapToDouble(read -> found.logOf(read.bytes()) - memory.logOf(read.bytes()))
                .average()
                .orElse(0);
        List<ReadTime> ofDisk = longer < Math.log(LEAST_FACTOR) ? List.of() : slow;
        long bytes = sum(reads);
        Part part = new Part(cached, memory, reads.size() - ofDisk.size(), bytes - sum(ofDisk));
        return ofDisk.isEmpty() ? List.of(part) : List.of(part, new Part(disk, found, ofDisk.size(), sum(ofDisk)));
    }

    private static long sum(List<ReadTime> reads) {
        return reads.stream().mapToLong(ReadTime::bytes).sum();
    }

    private static double distance(ReadTime read, LinearTime line) {
        return Math.abs(line.logOf(read.bytes()) - read.logNanos());
    }

    /**
     * The costs where a disk takes at least so long for each byte: for where something longer is known of large reads. Reads from disks of other
     * hosts take as much longer as local ones do, so that the network adds what it did.
     */
    public ReadCosts withDiskNoFaster(double leastNanosPerByte) {
        double more = leastNanosPerByte
                - find(Cause.DISK).map(disk -> disk.time().nanosPerByte()).orElse(leastNanosPerByte);
        return more <= 0
                ? this
                : new ReadCosts(parts.stream().map(part -> slower(part, more)).toList());
    }

    private static Part slower(Part part, double nanosPerByte) {
        LinearTime time = part.time();
        return part.cause() == Cause.DISK || part.cause() == Cause.REMOTE_DISK
                ? new Part(
                        part.cause(),
                        new LinearTime(time.nanos(), time.nanosPerByte() + nanosPerByte),
                        part.reads(),
                        part.bytes())
                : part;
    }

    /** The share of a part's reads. */
    public double share(Part part) {
        long all = parts.stream().mapToLong(Part::reads).sum();
        return all == 0 ? 0 : (double) part.reads() / all;
    }

    /** What a read on its own host costs; empty if there was none. Slow disks and pauses do not count: they are not to be expected. */
    public Optional<LinearTime> local(Expected expected) {
        return expected(expected, Cause.MEMORY, Cause.DISK);
    }

    /** What a read from another host costs; empty if there was none. */
    public Optional<LinearTime> remote(Expected expected) {
        return expected(expected, Cause.REMOTE_MEMORY, Cause.REMOTE_DISK);
    }

    private Optional<LinearTime> expected(Expected expected, Cause memory, Cause disk) {
        Optional<Part> cached = find(memory);
        Optional<Part> read = find(disk);
        return switch (expected) {
            case CACHED -> cached.map(Part::time);
            case DISK -> read.map(Part::time);
            case MIXED -> mean(new LinearTime[] {time(cached), time(read)}, new double[] {reads(cached), reads(read)});
        };
    }

    private static LinearTime time(Optional<Part> part) {
        return part.map(Part::time).orElse(NOTHING);
    }

    private static double reads(Optional<Part> part) {
        return part.map(its -> (double) its.reads()).orElse(0.0);
    }

    /**
     * What the network adds: remote reads of a kind less local ones of the kind, the mean of both kinds by their numbers of remote reads. Empty if of
     * no kind there are both, or remote reads take no longer.
     */
    public Optional<LinearTime> network() {
        Optional<LinearTime> memory = less(Cause.REMOTE_MEMORY, Cause.MEMORY);
        Optional<LinearTime> disk = less(Cause.REMOTE_DISK, Cause.DISK);
        return mean(new LinearTime[] {memory.orElse(NOTHING), disk.orElse(NOTHING)}, new double[] {
            memory.isPresent() ? reads(find(Cause.REMOTE_MEMORY)) : 0,
            disk.isPresent() ? reads(find(Cause.REMOTE_DISK)) : 0
        });
    }

    private Optional<LinearTime> less(Cause remote, Cause local) {
        return find(remote)
                .flatMap(far -> find(local)
                        .map(near -> new LinearTime(
                                Math.max(0, far.time().nanos() - near.time().nanos()),
                                Math.max(
                                        0,
                                        far.time().nanosPerByte() - near.time().nanosPerByte()))))
                .filter(more -> more.nanos() > 0 || more.nanosPerByte() > 0);
    }

    /** How many times as long as from a disk a read from a slow one takes, for the mean size of the slow ones; empty if there are not both. */
    public OptionalDouble slowFactor() {
        Optional<Part> slow = find(Cause.SLOW_DISK);
        Optional<Part> disk = find(Cause.DISK).or(() -> find(Cause.REMOTE_DISK));
        if (slow.isEmpty() || disk.isEmpty() || slow.get().reads() == 0) {
            return OptionalDouble.empty();
        }
        double size = (double) slow.get().bytes() / slow.get().reads();
        return OptionalDouble.of(slow.get().time().of(size) / disk.get().time().of(size));
    }

    private Optional<Part> find(Cause cause) {
        return parts.stream().filter(part -> part.cause() == cause).findFirst();
    }

    private static Optional<LinearTime> mean(LinearTime[] times, double[] weights) {
        double all = 0;
        double nanos = 0;
        double nanosPerByte = 0;
        for (int i = 0; i < times.length; i++) {
            all += weights[i];
            nanos += weights[i] * times[i].nanos();
            nanosPerByte += weights[i] * times[i].nanosPerByte();
        }
        return all <= 0 ? Optional.empty() : Optional.of(new LinearTime(nanos / all, nanosPerByte / all));
    }
}
