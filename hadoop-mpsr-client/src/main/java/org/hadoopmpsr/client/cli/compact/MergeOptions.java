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
package org.hadoopmpsr.client.cli.compact;

import java.io.IOException;
import java.util.ArrayList;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.compact.BeforeTime;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code mpsr compact} that the job takes too. */
final class MergeOptions {
    @Mixin
    private MergeTarget target;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = Before.class,
            description = "Merge only what was committed before this time: a day such as 2026-11-24, a time such as"
                    + " 2026-11-24T06:00:00Z, or an age such as 90m, 12h or 7d.")
    private @Nullable Long before;

    @Option(
            names = "--all",
            description = "Merge all that fits into the target, also where little is gained. Not for regular runs: it"
                    + " rewrites large segments for a few small ones.")
    private boolean all;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/compact in your home directory.")
    private @Nullable String runDir;

    private static final class Before implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return BeforeTime.parse(text, System.currentTimeMillis());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /**
     * The options as the job reads them.
     *
     * @throws IOException if the directory of the record is not one of the connection's file system
     * @throws IllegalArgumentException if the job takes no such number, with a message for the user
     */
    CompactionOptions get(Connection connection) throws IOException {
        CompactionOptions given = new CompactionOptions(
                target.bytes(),
                before == null ? Long.MAX_VALUE : before,
                all,
                limits.bandwidth(),
                limits.parallelism(),
                runDirectory(connection));
        return CompactionOptions.parse(given.toArguments(), new ArrayList<>());
    }

    private @Nullable String runDirectory(Connection connection) throws IOException {
        return runDir == null ? null : connection.path(runDir);
    }

    /** Where the record of a run is. */
    RunRecords records(Connection connection) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        return new RunRecords(JobKind.COMPACT, fs, connection.conf(), runDirectory(connection));
    }
}
