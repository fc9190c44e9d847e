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
package org.hadoopmpsr.core.advise;

import java.util.List;

/**
 * What a column takes in a file, by the number of the file's records: a part that each file has, such as a dictionary, and a part for each
 * record. Immutable.
 *
 * @param fileBytes of each file, at least 0
 * @param recordBytes of each record, at least 0
 */
public record ColumnSize(double fileBytes, double recordBytes) {
    private static final double LEAST_RATIO = 1.2;

    /**
     * Some files of equal layout.
     *
     * @param files how many, at least one
     * @param records of all of them, at least one
     * @param bytes that the column takes in all of them
     */
    public record Written(long files, long records, long bytes) {
        double recordsOfFile() {
            return (double) records / files;
        }

        double bytesOfFile() {
            return (double) bytes / files;
        }
    }

    /** The bytes in a file. */
    double of(double records) {
        return fileBytes + records * recordBytes;
    }

    /** As this, with so many times the bytes. */
    ColumnSize times(double factor) {
        return new ColumnSize(fileBytes * factor, recordBytes * factor);
    }

    /**
     * The line through the means of two sets of files. If they are not at least 1.2 times as long in one set as in the other, or if the
     * line would have a negative part, all bytes of the longer files count as those of records.
     *
     * @param some files
     * @param others with other numbers of records
     */
    public static ColumnSize through(Written some, Written others) {
        boolean isSorted = some.recordsOfFile() <= others.recordsOfFile();
        Written shorter = isSorted ? some : others;
        Written longer = isSorted ? others : some;
        double level = longer.bytesOfFile() / longer.recordsOfFile();
        double more = longer.recordsOfFile() - shorter.recordsOfFile();
        if (longer.recordsOfFile() < LEAST_RATIO * shorter.recordsOfFile()) {
            return new ColumnSize(0, level);
        }
        double slope = (longer.bytesOfFile() - shorter.bytesOfFile()) / more;
        double start = longer.bytesOfFile() - slope * longer.recordsOfFile();
        return slope < 0 || start < 0 ? new ColumnSize(0, level) : new ColumnSize(start, slope);
    }

    /** The mean of some sizes. */
    static ColumnSize mean(List<ColumnSize> some) {
        return new ColumnSize(
                some.stream().mapToDouble(ColumnSize::fileBytes).average().orElse(0),
                some.stream().mapToDouble(ColumnSize::recordBytes).average().orElse(0));
    }
}
