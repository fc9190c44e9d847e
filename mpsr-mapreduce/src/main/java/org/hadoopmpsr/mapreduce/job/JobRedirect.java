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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.mapreduce.Redirect;
import org.hadoopmpsr.mapreduce.task.PlannedFile;
import org.slf4j.Logger;

/**
 * Redirects the input of one job. For each dataset that the job reads as a whole, the files of the group that is cheapest
 * for the job's filter take the place of the default group's files. All other input stays. If a job has a filter and stays
 * unchanged, or a part of its input does, the log says why.
 */
public final class JobRedirect implements Redirect {
    private static final Logger LOG = PrintableLog.of(JobRedirect.class);

    /** The key that tells, in the configuration of a redirected job, what the job reads. */
    private static final String READS = "mpsr.mapreduce.reads";

    @Override
    public Outcome apply(Path staging, Configuration client) throws Exception {
        StagedJob job = StagedJob.open(staging, client);
        JobConf conf = job.conf();
        if (!conf.getBoolean(ConfigKeys.MAPREDUCE_ENABLED.name(), true) || !JobInput.hasFilter(conf)) {
            return new Outcome(null, 0);
        }
        JobInput input = new JobInput(conf);
        Optional<String> problem = input.problem();
        Optional<ParquetFilter> filter = problem.isPresent() ? Optional.empty() : ParquetFilter.of(input.filter());
        if (problem.isEmpty() && filter.isEmpty()) {
            problem = Optional.of("a part of the filter is of an unknown kind");
        }
        Optional<FileParts> parts = problem.isPresent() ? Optional.empty() : job.parts();
        if (problem.isEmpty() && parts.isEmpty()) {
            problem = Optional.of("the splits are not parts of files as Parquet's own formats make them");
        }
        if (problem.isPresent() || filter.isEmpty() || parts.isEmpty()) {
            LOG.info("{} runs as without MPSR: {}", staging.getName(), problem.orElse(""));
            return new Outcome(null, 1);
        }
        return redirect(job, parts.get(), new DatasetRead(input, conf, filter.get(), parts.get()));
    }

    private static Outcome redirect(StagedJob job, FileParts parts, DatasetRead datasets) throws Exception {
        Set<FilePart> replaced = new HashSet<>();
        List<FilePart> now = new ArrayList<>();
        Map<Path, PlannedFile> planned = new HashMap<>();
        List<String> texts = new ArrayList<>();
        int left = 0;
        for (Map.Entry<URI, FileParts> fs : parts.byFileSystem().entrySet()) {
            try (MpsrClient client = MpsrClient.create(job.conf(), fs.getKey())) {
                for (Dataset dataset : listed(client, fs.getKey())) {
                    FileParts stock = fs.getValue().below(dataset.path());
                    Optional<DatasetRead.Substitute> substitute = stock.isEmpty()
                            ? Optional.empty()
                            : datasets.substitute(client, fs.getKey(), dataset, stock);
                    substitute.ifPresent(s -> {
                        replaced.addAll(stock.list());
                        now.addAll(s.parts().list());
                        planned.putAll(s.planned());
                        texts.add(s.text());
                    });
                    left += stock.isEmpty() || substitute.isPresent() ? 0 : 1;
                }
            }
        }
        if (texts.isEmpty()) {
            return new Outcome(null, left);
        }
        parts.list().stream().filter(p -> !replaced.contains(p)).forEach(now::add);
        if (now.isEmpty()) {
            // A job that has maps keeps one: its mapper may write something when it ends.
            parts.list().stream()
                    .min(Comparator.comparingLong(FilePart::length))
                    .ifPresent(now::add);
        }
        String text = String.join("; ", texts);
        job.conf().set(READS, text);
        FileParts read = new FileParts(now);
        job.replace(read, DegradedInput.prepare(job, planned));
        return new Outcome(new Redirection(text, parts.files(), parts.bytes(), read.files(), read.bytes()), left);
    }

    /** All datasets; none where the NameNode runs without MPSR. */
    private static List<Dataset> listed(MpsrClient client, URI fs) throws IOException {
        try {
            return client.listDatasets();
        } catch (IOException e) {
            if (!MpsrClient.isWithoutMpsr(e)) {
                throw e;
            }
            LOG.info("The NameNode of {} runs without MPSR, or is a router. Reads from there are as without MPSR", fs);
            return List.of();
        }
    }
}
