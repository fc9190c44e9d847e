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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.maintain.MaintenanceText;
import org.hadoopmpsr.client.proto.MpsrProtos.CounterProto;
import org.hadoopmpsr.client.proto.MpsrProtos.ProblemProto;
import org.hadoopmpsr.client.proto.MpsrProtos.StatusResponseProto;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mpsr status}. */
@Command(
        name = "status",
        description = "Show whether MPSR is ready, and what is wrong.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes, as monitoring systems expect them:%n",
        exitCodeList = {
            "0:ready",
            "1:ready, with warnings, or records lack live copies",
            "2:off or not ready, or records have no whole live copy",
            "3:no answer"
        })
final class StatusCommand implements Callable<Integer> {
    private static final int OK = 0;
    private static final int WARNING = 1;
    private static final int CRITICAL = 2;
    private static final int UNKNOWN = 3;

    @Mixin
    private Connection connection;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        StatusResponseProto status;
        try (MpsrClient client = connection.client()) {
            status = client.status();
        } catch (IOException e) {
            Output.ofErrors(spec).message(Messages.of(e));
            return UNKNOWN;
        }
        Output out = Output.of(spec);
        if (connection.json()) {
            Map<String, Object> json = stateJson(status);
            json.put("version", status.getVersion());
            json.put("storeDir", status.getStoreDir());
            json.put("datasets", status.getDatasets());
            Map<String, Object> counters = new LinkedHashMap<>();
            for (CounterProto c : status.getCounterList()) {
                counters.put(c.getName(), c.getValue());
            }
            json.put("counters", counters);
            json.put("redundancy", RedundancyView.json(status.getRedundancyList()));
            json.put(
                    "toRebuild",
                    status.getToRebuildList().stream().map(ToRebuildView::json).toList());
            json.put(
                    "rebuilding",
                    status.getRebuildingList().stream().map(ToRebuildView::json).toList());
            if (status.hasFurtherCopies()) {
                json.put("furtherCopies", FurtherCopiesText.json(status.getFurtherCopies()));
            }
            json.put("maintenance", MaintenanceText.json(status.getMaintenance()));
            json.put(
                    "dropped",
                    status.getDroppedList().stream().map(DroppedView::json).toList());
            out.json(json);
        } else {
            print(out, status);
        }
        return exitCode(status);
    }

    /** As lines of text; the datasets are counted among the metrics. */
    static void print(Output out, StatusResponseProto status) {
        long nowMs = System.currentTimeMillis();
        printState(out, status);
        status.getRedundancyList().forEach(d -> out.line(RedundancyView.text(d)));
        status.getToRebuildList().forEach(left -> out.line(ToRebuildView.text(left, nowMs)));
        status.getRebuildingList().forEach(now -> out.line(ToRebuildView.text(now)));
        if (status.hasFurtherCopies()) {
            out.line(FurtherCopiesText.line(status.getFurtherCopies()));
        }
        out.line("Version: " + status.getVersion());
        MaintenanceText.lines(status, nowMs).forEach(out::line);
        for (CounterProto c : status.getCounterList()) {
            out.line(c.getName() + ": " + c.getValue());
        }
        status.getDroppedList().forEach(d -> out.line("Dropped: " + DroppedView.text(d)));
    }

    static int exitCode(StatusResponseProto status) {
        boolean lost = status.getRedundancyList().stream().anyMatch(RedundancyView::isLost);
        if (lost || !status.getState().equals("ready")) {
            return CRITICAL;
        }
        return status.getWarningCount() + status.getRedundancyCount() == 0 ? OK : WARNING;
    }

    static Map<String, Object> stateJson(StatusResponseProto status) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("state", status.getState());
        List<Object> problems = new ArrayList<>();
        for (ProblemProto p : status.getProblemList()) {
            Map<String, Object> problem = new LinkedHashMap<>();
            problem.put("key", p.getKey());
            problem.put("value", p.getValue());
            problem.put("cause", p.getCause());
            problem.put("fix", p.getFix());
            problems.add(problem);
        }
        json.put("problems", problems);
        json.put("warnings", List.copyOf(status.getWarningList()));
        return json;
    }

    static void printState(Output out, StatusResponseProto status) {
        out.line("State: " + status.getState());
        for (ProblemProto p : status.getProblemList()) {
            out.line("  - " + p.getKey() + " = '" + p.getValue() + "': " + p.getCause() + "; " + p.getFix());
        }
        status.getWarningList().forEach(w -> out.line("  - " + w));
    }
}
