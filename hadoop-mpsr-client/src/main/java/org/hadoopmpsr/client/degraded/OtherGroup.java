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
package org.hadoopmpsr.client.degraded;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.degraded.SourceGroup;

/**
 * The records of a part of a file, from another group.
 *
 * @param group its name
 */
public record OtherGroup<T>(String group, PartRecords<T> records) {

    /** Opens the records of a part in another group. */
    @FunctionalInterface
    public interface Opening<T> {
        /** @throws Exception if the group cannot give the records */
        PartRecords<T> of(SourceGroup source) throws Exception;
    }

    /**
     * The records from the first group that can give them. Groups on DataNodes that do not answer are asked last.
     *
     * @param access opens the files of the groups
     * @param careful to read all of a source once before its records are given
     * @throws IOException that says why, if no group can give them; nothing was given then
     * @throws Exception if the task is to end
     */
    public static <T> OtherGroup<T> first(
            List<SourceGroup> sources, SourceAccess access, boolean careful, Opening<T> opening) throws Exception {
        List<Exception> failures = new ArrayList<>();
        for (SourceGroup source : access.inOrder(sources)) {
            try {
                if (careful) {
                    readOnce(watched(source, access, opening));
                }
                return new OtherGroup<>(source.group().name(), begun(watched(source, access, opening)));
            } catch (Exception e) {
                if (ReadFailures.isInterrupted(e)) {
                    throw e;
                }
                failures.add(e);
            }
        }
        IOException all = new IOException(failures.stream()
                .map(ReadFailures::line)
                .collect(Collectors.joining("; ", "no other group gives the records: ", "")));
        failures.forEach(all::addSuppressed);
        throw all;
    }

    private static <T> PartRecords<T> watched(SourceGroup source, SourceAccess access, Opening<T> opening)
            throws Exception {
        access.begins();
        try {
            return new Watched<>(opening.of(source), access);
        } catch (Exception e) {
            access.fails();
            throw e;
        }
    }

    /** The same records; where they end with a failure, it is noted which DataNodes did not answer. */
    private record Watched<T>(PartRecords<T> records, SourceAccess access) implements PartRecords<T> {
        @Override
        public boolean hasNext() throws Exception {
            access.begins();
            try {
                return records.hasNext();
            } catch (Exception e) {
                access.fails();
                throw e;
            }
        }

        @Override
        public T next() throws Exception {
            return records.next();
        }

        @Override
        public void close() throws IOException {
            records.close();
        }
    }

    /** Reads records to their end, and closes them. */
    static void readOnce(PartRecords<?> records) throws Exception {
        try (records) {
            while (records.hasNext()) {
                records.next();
            }
        }
    }

    /** A source that cannot be read fails here. */
    private static <T> PartRecords<T> begun(PartRecords<T> records) throws Exception {
        try {
            records.hasNext();
            return records;
        } catch (Exception | Error e) {
            records.close();
            throw e;
        }
    }
}
