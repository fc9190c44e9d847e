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
package org.hadoopmpsr.client.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.FilesToRead;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.calibration.CalibratedCosts;
import org.hadoopmpsr.client.calibration.CalibratedCosts.Decoding;
import org.hadoopmpsr.client.calibration.Calibration;
import org.hadoopmpsr.client.calibration.Calibration.Figure;
import org.hadoopmpsr.client.calibration.DecodeRates;
import org.hadoopmpsr.client.calibration.PieceReads;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.readtimes.ReadTimesFile;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.readtimes.ReadClasses;
import org.hadoopmpsr.core.readtimes.ReadCosts;
import org.hadoopmpsr.core.readtimes.ReadCosts.Expected;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mpsr calibrate}. */
@Command(
        name = "calibrate",
        description = "Measure what reads cost, by reading files, and print the properties for hdfs-site.xml by which"
                + " planning compares replica groups.",
        mixinStandardHelpOptions = true)
final class CalibrateCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "PATHS",
            arity = "0..*",
            description =
                    "Files, directories and patterns to choose files from. Default: all datasets. Choose files that"
                            + " were not read lately, or, to know what is in memory, as they are usually read.")
    private List<String> paths = List.of();

    @Option(names = "--files", paramLabel = "N", description = "Number of files to read (${DEFAULT-VALUE}).")
    private int files = 50;

    @Option(names = "--seed", paramLabel = "N", description = "Seed that chooses the files (${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "Read no file of the cluster, but a local file with times of reads, as for 'hdfs mpsr io --from'.")
    private @Nullable Path from;

    @Option(
            names = "--times",
            paramLabel = "FILE",
            description =
                    "Also write the times of the command's own reads into this local file, as 'hdfs mpsr io --from' takes"
                            + " them, each with its turn: first or again.")
    private @Nullable Path times;

    @Option(
            names = "--expect",
            paramLabel = "READS",
            defaultValue = "mixed",
            converter = ExpectedReads.class,
            description = "Which reads planning is to expect: cached, disk, or mixed, as many of both as there were"
                    + " (${DEFAULT-VALUE}).")
    private Expected expected = Expected.MIXED;

    @Option(names = "--write", paramLabel = "FILE", description = "Also write the properties to this file.")
    private @Nullable Path write;

    @Spec
    private CommandSpec spec;

    /** Reads the names of {@link Expected} in lower case. */
    static final class ExpectedReads implements ITypeConverter<Expected> {
        @Override
        public Expected convert(String text) {
            return Arrays.stream(Expected.values())
                    .filter(its -> name(its).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of cached, disk and mixed"));
        }
    }

    private static String name(Expected expected) {
        return expected.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Integer call() throws IOException {
        if (from != null) {
            ofTimes(from);
        } else {
            ofFiles();
        }
        return 0;
    }

    private void ofTimes(Path file) throws IOException {
        if (!paths.isEmpty() || times != null) {
            throw new ParameterException(
                    spec.commandLine(), "--from reads no file of the cluster; leave out PATHS and --times");
        }
        ReadTimesFile.Content content = ReadTimesFile.read(file);
        if (content.unreadable() > 0) {
            Output.ofErrors(spec).line(content.unreadable() + " lines were passed over; " + content.problem());
        }
        CostModel costs =
                MpsrConfig.read(key -> connection.conf().getTrimmed(key)).costs();
        ReadCosts found = ReadCosts.of(ReadClasses.of(content.reads(), costs.read()));
        finish(Map.of(), found, CalibratedCosts.ofReads(checked(found), expected));
    }

    private void ofFiles() throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        List<LocatedFileStatus> candidates = new ArrayList<>(FilesToRead.list(fs, paths.isEmpty() ? roots() : given()));
        if (candidates.isEmpty()) {
            throw new IOException("there is no file to read: name Parquet files, or directories that hold some");
        }
        Collections.shuffle(candidates, new Random(seed));
        Calibration measured = new Calibration();
        PieceReads pieces = new PieceReads(seed);
        DecodeRates rates = new DecodeRates();
        for (LocatedFileStatus file : candidates.subList(0, Math.min(files, candidates.size()))) {
            // the footer first: its few pages at the end of the file make the block after it no faster
            measured.footer(fs, file, false);
            measured.block(fs, file);
            pieces.file(fs, file);
            measured.footer(fs, file, true);
            rates.file(connection.conf(), file);
        }
        if (times != null) {
            pieces.write(times);
        }
        Decoding decoding = rates.figures();
        ReadCosts found = ReadCosts.ofTwice(pieces.first(), pieces.again());
        finish(
                figures(measured, decoding),
                found,
                found.parts().isEmpty()
                        ? CalibratedCosts.properties(measured, decoding)
                        : CalibratedCosts.properties(measured, decoding, checked(found), expected));
    }

    /** @throws IOException if there was no read of those that are expected */
    private ReadCosts checked(ReadCosts found) throws IOException {
        if (found.local(expected).isEmpty() && found.remote(expected).isEmpty()) {
            throw new IOException("no read was "
                    + (expected == Expected.DISK ? "from a disk; choose files that were not read lately" : "cached")
                    + ", or take another --expect");
        }
        return found;
    }

    private void finish(Map<String, Optional<Figure>> figures, ReadCosts found, SortedMap<String, String> properties)
            throws IOException {
        if (write != null) {
            Files.writeString(write, CalibratedCosts.xml(properties));
        }
        print(Output.of(spec), figures, found, properties);
    }

    private List<String> given() throws IOException {
        for (String path : paths) {
            connection.path(path);
        }
        return paths;
    }

    private List<String> roots() throws IOException {
        try (MpsrClient client = connection.client()) {
            return client.listDatasets().stream()
                    .flatMap(d -> d.representations().stream())
                    .map(Dataset.Representation::root)
                    .toList();
        }
    }

    private static Map<String, Optional<Figure>> figures(Calibration measured, Decoding decoding) {
        Map<String, Optional<Figure>> figures = new LinkedHashMap<>();
        figures.put("open a file and read its footer, ms", measured.openMs());
        figures.put("the same once more, ms", measured.openAgainMs());
        figures.put("first byte from this host, ms", measured.localFirstByteMs());
        figures.put("bandwidth from this host, MB/s", measured.localMbPerSecond());
        figures.put("first byte from other hosts, ms", measured.remoteFirstByteMs());
        figures.put("bandwidth from other hosts, MB/s", measured.remoteMbPerSecond());
        decoding.mbPerSecond()
                .forEach((codec, figure) -> figures.put(
                        "decompress " + codec.name().toLowerCase(Locale.ROOT) + ", MB/s of compressed bytes",
                        Optional.of(figure)));
        figures.put("decode values, millions/s", decoding.millionValuesPerSecond());
        return figures;
    }

    private void print(
            Output out, Map<String, Optional<Figure>> figures, ReadCosts found, Map<String, String> properties) {
        if (connection.json()) {
            Map<String, Object> measured = new LinkedHashMap<>();
            figures.forEach((name, figure) ->
                    measured.put(name, figure.map(CalibrateCommand::json).orElse(null)));
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("seed", seed);
            json.put("measured", measured);
            json.put(
                    "classes",
                    found.parts().stream().map(part -> json(found, part)).toList());
            json.put("expected", name(expected));
            json.put("properties", properties);
            out.json(json);
            return;
        }
        if (!figures.isEmpty()) {
            Table table = new Table("MEASURED", "MEDIAN", "8 OF 10 WITHIN", "READS");
            figures.forEach((name, figure) -> figure.ifPresentOrElse(
                    f -> table.row(name, number(f.median()), number(f.low()) + " … " + number(f.high()), f.count()),
                    () -> table.row(name, "-", "no such read", 0)));
            out.table(table);
        }
        if (!found.parts().isEmpty()) {
            if (!figures.isEmpty()) {
                out.line("");
            }
            Table classes = new Table("CLASS", "READS", "SHARE", "BEGINS AFTER, MS", "MB/S");
            found.parts()
                    .forEach(part -> classes.row(
                            part.cause().text(),
                            part.reads(),
                            String.format(Locale.ROOT, "%.1f %%", 100 * found.share(part)),
                            String.format(Locale.ROOT, "%.3f", part.time().nanos() / 1e6),
                            part.time().nanosPerByte() == 0
                                    ? "-"
                                    : String.format(
                                            Locale.ROOT,
                                            "%,.0f",
                                            1e3 / part.time().nanosPerByte())));
            out.table(classes);
            out.line("planning is to expect " + name(expected) + " reads");
        }
        out.line("");
        out.page(CalibratedCosts.xml(properties));
    }

    private static Map<String, Object> json(ReadCosts found, ReadCosts.Part part) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("cause", part.cause().name().toLowerCase(Locale.ROOT));
        json.put("reads", part.reads());
        json.put("share", found.share(part));
        json.put("nanos", part.time().nanos());
        json.put("nanosPerByte", part.time().nanosPerByte());
        return json;
    }

    private static Map<String, Object> json(Figure f) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("median", f.median());
        json.put("spread", List.of(f.low(), f.high()));
        json.put("count", f.count());
        return json;
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
