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
package org.hadoopmpsr.namenode.http;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.wire.ReadRequestWire;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;

/**
 * A request for a page of a plan.
 *
 * @param request the call
 * @param page the page that is asked for; null for the first one
 */
record PlanBody(PlanRequestProto request, @Nullable PageToken page) {
    private static final Set<String> NAMES =
            Set.of("path", "filter", "columns", "group", "asOf", "files", "page", "hosts", "parallelism");

    /**
     * Reads a request.
     *
     * @throws IllegalArgumentException if it makes no sense; the message is for the user
     */
    static PlanBody read(Map<String, @Nullable Object> json) {
        for (String name : json.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("a plan has no '" + name + "'; there are "
                        + String.join(", ", NAMES.stream().sorted().toList()));
            }
        }
        String path = text(json, "path");
        if (path == null || !path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "the 'path' of a plan is " + (path == null ? "missing" : "'" + path + "', which is not absolute")
                            + "; give a dataset's directory");
        }
        Object filter = json.get("filter");
        String asOf = text(json, "asOf");
        List<String> columns = texts(json, "columns");
        List<String> hosts = texts(json, "hosts");
        ReadRequest read = new ReadRequest(
                filter == null ? Filter.ALL : FilterJson.read(filter),
                columns == null ? null : new HashSet<>(columns),
                number(json, "parallelism"),
                hosts == null ? Set.of() : new HashSet<>(hosts),
                null,
                false,
                true,
                true,
                asOf == null ? null : AsOf.parse(asOf),
                Set.of(),
                Map.of());
        PlanRequestProto.Builder request =
                ReadRequestWire.request(read).setPath(path).setPageFiles(number(json, "files"));
        String group = text(json, "group");
        if (group != null) {
            request.setGroup(group);
        }
        String token = text(json, "page");
        PageToken page = token == null ? null : PageToken.parse(token);
        if (page != null) {
            page.addTo(request);
        }
        return new PlanBody(request.build(), page);
    }

    private static @Nullable String text(Map<String, @Nullable Object> json, String name) {
        Object value = json.get(name);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        throw wrong(name, value, "a text");
    }

    private static int number(Map<String, @Nullable Object> json, String name) {
        Object value = json.get(name);
        if (value == null) {
            return 0;
        }
        if (value instanceof Long number && number > 0 && number <= Integer.MAX_VALUE) {
            return number.intValue();
        }
        throw wrong(name, value, "a whole number from 1");
    }

    private static @Nullable List<String> texts(Map<String, @Nullable Object> json, String name) {
        Object value = json.get(name);
        if (value == null) {
            return null;
        }
        List<String> found = new ArrayList<>();
        for (Object each : value instanceof List<?> list ? list : List.of(0)) {
            if (!(each instanceof String text)) {
                throw wrong(name, value, "a list of texts");
            }
            found.add(text);
        }
        return found;
    }

    private static IllegalArgumentException wrong(String name, Object value, String wanted) {
        return new IllegalArgumentException("'" + name + "' of a plan is " + value + "; give " + wanted);
    }
}
