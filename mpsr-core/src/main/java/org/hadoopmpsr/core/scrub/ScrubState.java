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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a dataset's scrub has done so far, from the first run on. Times are milliseconds since the epoch. For one thread. */
public final class ScrubState {
    private static final int VERSION = 2;

    /** So many problems are kept, and so long ones. */
    private static final int MOST_PROBLEMS = 100;

    private static final int MOST_CHARS = 1000;

    private final Map<String, Read> reads = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private long found;
    private long healed;

    /**
     * How a segment was read last.
     *
     * @param checkedMs when all of it was read last; 0 if never
     * @param triedMs when some of it was read last, or was to be read
     * @param newestFile the id of the newest of its files then; 0 if that is not known
     */
    public record Read(long checkedMs, long triedMs, long newestFile) {
        static final Read NEVER = new Read(0, 0, 0);
    }

    /** A segment of a group that is wrong, and could not be healed. */
    public record Problem(String segment, String group, String reason) {}

    /** How a segment was read last. */
    public Read read(String segment) {
        return reads.getOrDefault(segment, Read.NEVER);
    }

    /** The segments of groups that were found to be wrong. */
    public long found() {
        return found;
    }

    /** Those of them that were written anew. */
    public long healed() {
        return healed;
    }

    /** Those that could not be healed, as far as they are kept. */
    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    /** True if a segment is wrong in some group, and could not be healed. */
    public boolean isWrong(String segment) {
        return problems.stream().anyMatch(problem -> problem.segment().equals(segment));
    }

    /**
     * All groups of a segment were read. What was wrong with it before is forgotten.
     *
     * @param newestFile the id of the newest file that was read
     */
    public void checked(String segment, long newestFile, long nowMs) {
        reads.put(segment, new Read(nowMs, nowMs, newestFile));
        problems.removeIf(problem -> problem.segment().equals(segment));
    }

    /**
     * Some files of a segment could not be read.
     *
     * @param newestFile the id of the newest file that was or was not read
     */
    public void tried(String segment, long newestFile, long nowMs) {
        reads.put(segment, new Read(read(segment).checkedMs(), nowMs, newestFile));
    }

    /** Segments of groups were found to be wrong. */
    public void found(long segmentsOfGroups) {
        found += segmentsOfGroups;
    }

    /** Segments of groups were written anew. */
    public void healed(long segmentsOfGroups) {
        healed += segmentsOfGroups;
    }

    /** A segment of a group could not be healed. */
    public void failed(Problem problem) {
        problems.removeIf(
                p -> p.segment().equals(problem.segment()) && p.group().equals(problem.group()));
        if (problems.size() < MOST_PROBLEMS) {
            String reason = problem.reason();
            problems.add(
                    reason.length() <= MOST_CHARS
                            ? problem
                            : new Problem(problem.segment(), problem.group(), reason.substring(0, MOST_CHARS)));
        }
    }

    /** Forgets segments that are not current any more. */
    public void keepOnly(Set<String> current) {
        reads.keySet().retainAll(current);
        problems.removeIf(problem -> !current.contains(problem.segment()));
    }

    /** Writes it; {@link #read} reads it. */
    public void write(DataOutput out) throws IOException {
        out.writeInt(VERSION);
        out.writeLong(found);
        out.writeLong(healed);
        out.writeInt(reads.size());
        for (Map.Entry<String, Read> entry : new TreeMap<>(reads).entrySet()) {
            out.writeUTF(entry.getKey());
            out.writeLong(entry.getValue().checkedMs());
            out.writeLong(entry.getValue().triedMs());
            out.writeLong(entry.getValue().newestFile());
        }
        out.writeInt(problems.size());
        for (Problem problem : problems) {
            out.writeUTF(problem.segment());
            out.writeUTF(problem.group());
            out.writeUTF(problem.reason());
        }
    }

    /** @throws IOException if a newer version has written it, among others */
    public static ScrubState read(DataInput in) throws IOException {
        int version = in.readInt();
        if (version < 1 || version > VERSION) {
            throw new IOException("it has version " + version + ", and this MPSR reads versions up to " + VERSION);
        }
        ScrubState state = new ScrubState();
        state.found = in.readLong();
        state.healed = in.readLong();
        for (int left = in.readInt(); left > 0; left--) {
            state.reads.put(in.readUTF(), new Read(in.readLong(), in.readLong(), version == 1 ? 0 : in.readLong()));
        }
        for (int left = in.readInt(); left > 0; left--) {
            state.problems.add(new Problem(in.readUTF(), in.readUTF(), in.readUTF()));
        }
        return state;
    }
}
