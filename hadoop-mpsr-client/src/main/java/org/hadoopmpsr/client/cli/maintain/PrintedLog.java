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
package org.hadoopmpsr.client.cli.maintain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.maintain.MaintenanceLog;
import org.jspecify.annotations.Nullable;

/** Prints what is decided, a line each, at once. */
final class PrintedLog implements MaintenanceLog {
    private final Output out;
    private final boolean json;

    PrintedLog(Output out, boolean json) {
        this.out = out;
        this.json = json;
    }

    @Override
    public synchronized void say(Event event, @Nullable String dataset, @Nullable String task, String text) {
        String time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        if (json) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("time", time);
            line.put("event", event.name().toLowerCase(Locale.ROOT));
            line.put("dataset", dataset);
            line.put("task", task);
            line.put("text", text);
            out.json(line);
        } else {
            String about = dataset == null ? "" : dataset + " " + task + ": ";
            out.line(time + " " + event + " " + about + text);
        }
        out.flush();
    }
}
