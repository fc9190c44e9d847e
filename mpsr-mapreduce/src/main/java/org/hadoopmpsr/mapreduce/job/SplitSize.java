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
package org.hadoopmpsr.mapreduce.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.parquet.hadoop.ParquetInputFormat;
import org.hadoopmpsr.client.ReadPlan.Block;
import org.hadoopmpsr.client.ReadPlan.PlannedFile;

/**
 * The size of the parts of files that maps read: a block, within the bounds of the job. Lengths are in bytes.
 *
 * @param whole whether one map reads a whole file
 */
record SplitSize(long min, long max, boolean whole) {
    /** The last part of a file may be larger than the others by this factor, as in Hadoop. */
    private static final double SLOP = 1.1;

    static SplitSize of(JobConf conf) {
        return new SplitSize(
                Math.max(1, conf.getLong(FileInputFormat.SPLIT_MINSIZE, 1)),
                conf.getUseNewMapper() ? conf.getLong(FileInputFormat.SPLIT_MAXSIZE, Long.MAX_VALUE) : Long.MAX_VALUE,
                conf.getUseNewMapper() && !conf.getBoolean(ParquetInputFormat.SPLIT_FILES, true));
    }

    List<FilePart> parts(Path path, PlannedFile file) {
        long block = file.blocks().stream().mapToLong(Block::length).max().orElse(file.length());
        long size = whole ? Math.max(1, file.length()) : Math.max(min, Math.min(max, block));
        List<FilePart> parts = new ArrayList<>();
        long start = 0;
        while (start < file.length()) {
            long left = file.length() - start;
            long length = (double) left / size > SLOP ? size : left;
            parts.add(new FilePart(path, start, length, hosts(file, start)));
            start += length;
        }
        return parts;
    }

    private static List<String> hosts(PlannedFile file, long at) {
        return file.blocks().stream()
                .filter(b -> b.offset() <= at && at < b.offset() + b.length())
                .map(Block::hosts)
                .findFirst()
                .orElse(List.of());
    }
}
