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
package org.hadoopmpsr.catalog.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import org.apache.iceberg.rest.requests.FetchScanTasksRequestParser;
import org.apache.iceberg.rest.requests.PlanTableScanRequest;
import org.apache.iceberg.rest.requests.PlanTableScanRequestParser;
import org.apache.iceberg.rest.requests.UpdateTableRequest;
import org.apache.iceberg.rest.requests.UpdateTableRequestParser;
import org.apache.iceberg.util.JsonUtil;
import org.jspecify.annotations.Nullable;

/** Reads what requests carry, with the parsers of Iceberg. What cannot be read is answered with a message. */
final class Bodies {
    /** So many bytes more than are taken are read and forgotten: clients that send all before they read get the answer then. */
    private static final long FORGOTTEN = 256L << 20;

    private static final int CHUNK = 8_192;

    private Bodies() {}

    /**
     * The text of a request.
     *
     * @param most the most bytes
     * @throws CatalogException if there are more
     */
    static String text(HttpServletRequest request, int most) throws IOException, CatalogException {
        try (InputStream in = request.getInputStream()) {
            byte[] bytes = request.getContentLengthLong() > most ? new byte[0] : in.readNBytes(most + 1);
            if (request.getContentLengthLong() > most || bytes.length > most) {
                forget(in);
                throw new CatalogException(
                        413,
                        "BadRequestException",
                        "The request has more than " + most
                                + " bytes; ask for less at once, or raise --body of the gateway");
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private static void forget(InputStream in) throws IOException {
        byte[] chunk = new byte[CHUNK];
        int read = 0;
        for (long left = FORGOTTEN; left > 0 && read >= 0; left -= read) {
            read = in.read(chunk);
        }
    }

    /** The scan that a client asks for. */
    static PlanTableScanRequest scan(String body) throws CatalogException {
        return parse(body, PlanTableScanRequestParser::fromJson);
    }

    /** The plan task of which a client asks for the files. */
    static String planTask(String body) throws CatalogException {
        return parse(body, json -> FetchScanTasksRequestParser.fromJson(json).planTask());
    }

    /** What a client commits. */
    static UpdateTableRequest commit(String body) throws CatalogException {
        return parse(body, UpdateTableRequestParser::fromJson);
    }

    private static <T> T parse(String body, JsonUtil.FromJson<T> parser) throws CatalogException {
        try {
            return JsonUtil.parse(body, json -> {
                if (json == null || !json.isObject()) {
                    throw new IllegalArgumentException("it is no object of JSON");
                }
                return parser.parse(json);
            });
        } catch (UncheckedIOException e) {
            throw CatalogException.wrong("The request is no JSON that can be read: " + firstLine(e.getCause()));
        } catch (RuntimeException e) { // of many kinds, each for something in the body that the parser did not expect
            throw CatalogException.wrong("The request cannot be read: " + firstLine(e));
        }
    }

    /** Parsers of JSON say in further lines where they were, in their own words. */
    private static String firstLine(@Nullable Throwable e) {
        return e == null
                ? ""
                : String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
