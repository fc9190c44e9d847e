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

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.mapreduce.task.PlannedFile;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Decides what one job reads of each dataset in the job's input. */
final class DatasetRead {
    private static final Logger LOG = PrintableLog.of(DatasetRead.class);

    private final JobInput input;
    private final JobConf conf;
    private final ParquetFilter ofJob;
    private final FileParts all;

    /** @param all all input of the job; if this is one dataset, the job's configuration may be changed */
    DatasetRead(JobInput input, JobConf conf, ParquetFilter filter, FileParts all) {
        this.input = input;
        this.conf = conf;
        this.ofJob = filter;
        this.all = all;
    }

    /**
     * The parts that a job reads in place of a dataset's default representation.
     *
     * @param planned what the plan says of the files
     * @param text which group, and why
     */
    record Substitute(FileParts parts, Map<Path, PlannedFile> planned, String text) {}

    /**
     * What to read in place of the given parts. If planning understands no part of the filter, other files take the place of
     * those that are lost, and of no others.
     *
     * @param stock the parts of the dataset's default representation that the job reads
     * @return empty where the job has to read the given parts; the log says why
     */
    Optional<Substitute> substitute(MpsrClient client, URI fs, Dataset dataset, FileParts stock)
            throws IOException, ReflectiveOperationException {
        ParquetFilter filter = ofJob.within(paths(dataset));
        ReadSupport<?> support = input.readSupport();
        RequestedColumns requested = RequestedColumns.ofAny(stock.some(), conf, support);
        if (dataset.mixedFiles() && requested.dependOnFile(conf, support)) {
            return stays(
                    dataset,
                    "its files need not have all columns, because its schema was altered or other writers have written some of"
                            + " them, and the job asks for all columns of each file; set the columns that it reads"
                            + " (parquet.read.schema, or the projection of Avro)");
        }
        Optional<String> problem = requested.problem(input.filter(), filter.columns());
        if (problem.isPresent()) {
            return stays(dataset, problem.get());
        }
        ReadRequest readRequest = new ReadRequest(filter.filter(), requested.names()).inParts();
        ReadPlan plan = client.plan(dataset.path(), readRequest, group(dataset, filter), List.of())
                .orElse(null);
        problem = plan == null ? Optional.of("the directory is no longer a dataset") : problem(plan, stock);
        if (plan != null && problem.isEmpty() && filter.isUnknown() && isDefault(plan)) {
            problem = Optional.of("planning understands no part of the filter");
        }
        if (plan == null || problem.isPresent()) {
            return stays(dataset, problem.orElse(""));
        }
        List<FilePart> read = new ArrayList<>();
        Map<Path, PlannedFile> planned = new HashMap<>();
        for (ReadPlan part : plan.each()) {
            FileParts parts = stock.in(part);
            if (!part.group().equals(plan.groups().defaultName())) {
                parts = FileParts.of(part, fs, SplitSize.of(conf));
                if (!parts.isEmpty() && !sameRecords(requested, parts, support, stock)) {
                    return stays(
                            dataset,
                            "the job asks for all columns of a file, and files of group " + part.group()
                                    + " have more columns");
                }
            }
            read.addAll(parts.list());
            part.files()
                    .forEach(file -> planned.put(
                            path(fs, file.path()),
                            new PlannedFile(
                                    path(fs, dataset.path()).toUri(),
                                    part.group(),
                                    file.length(),
                                    file.modificationTime())));
        }
        return Optional.of(new Substitute(new FileParts(read), planned, text(dataset, plan)));
    }

    /**
     * The values within columns that planning knows something of, in lower case. None if a column has a dot in its name: Parquet's reader takes
     * such a column and a value within another one for each other, and loses other records in other files.
     */
    private static Set<String> paths(Dataset dataset) {
        Schema schema = dataset.columns().stored();
        return schema.columns().stream().anyMatch(column -> column.name().contains("."))
                ? Set.of()
                : dataset.groups().groups().stream()
                        .flatMap(group -> group.paths(schema).stream())
                        .map(column -> column.name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.toSet());
    }

    private static Path path(URI fs, String path) {
        return new Path(fs.getScheme(), fs.getAuthority(), path);
    }

    private static boolean isDefault(ReadPlan plan) {
        return plan.group().equals(plan.groups().defaultName()) && plan.isOfOneGroup();
    }

    private @Nullable String group(Dataset dataset, ParquetFilter filter) {
        if (filter.isUnknown()) {
            return dataset.groups().defaultName();
        }
        String name = conf.getTrimmed(ConfigKeys.GROUP.name(), "");
        if (!name.isEmpty() && dataset.groups().meant(name).isEmpty()) {
            LOG.warn(
                    "There is no replica group '{}' of {}, only {}. The cheapest group is read",
                    name,
                    dataset.path(),
                    String.join(", ", dataset.groups().names()));
            return null;
        }
        return name.isEmpty() ? null : name;
    }

    private static Optional<String> problem(ReadPlan plan, FileParts stock) {
        if (plan.stock()) {
            return Optional.of(plan.reason());
        }
        FileTotals all = plan.defaultTotals();
        if (all == null) {
            return Optional.of("the NameNode is older and does not tell which files the dataset has");
        }
        FileTotals read = stock.totals();
        return read.equals(all)
                ? Optional.empty()
                : Optional.of(String.format(
                        "the job reads %s, and the dataset is %s: the job reads a part of the dataset or other files, or the"
                                + " dataset has changed meanwhile",
                        read.text(), all.text()));
    }

    /** Whether the job makes equal records of another group's files. The job may get a projection for this. */
    private boolean sameRecords(RequestedColumns requested, FileParts parts, ReadSupport<?> support, FileParts stock)
            throws IOException {
        RequestedColumns there = RequestedColumns.ofAny(parts.some(), conf, support);
        if (there.sameAs(requested)) {
            return true;
        }
        Map<String, String> projection = requested.asProjection(conf, support);
        boolean alone = stock.list().size() == all.list().size();
        if (!alone
                || !there.with(projection, conf, support).sameAs(requested)
                || !requested.with(projection, conf, support).sameAs(requested)) {
            return false;
        }
        projection.forEach(conf::set);
        return true;
    }

    private static Optional<Substitute> stays(Dataset dataset, String problem) {
        LOG.info("The job reads {} as without MPSR: {}", dataset.path(), problem);
        return Optional.empty();
    }

    private static String text(Dataset dataset, ReadPlan plan) {
        String groups = plan.parts().stream().map(ReadPlan.Part::group).collect(Collectors.joining(" and "));
        StringBuilder text = new StringBuilder(dataset.path() + " from group " + groups);
        plan.candidates().forEach(c -> text.append("; ").append(c.text()));
        return text.append("; ").append(plan.reason()).toString().replaceAll("\\s+", " ");
    }
}
