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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.hadoopmpsr.client.log.PrintableLog;
import org.slf4j.Logger;

/** Answers with the JSON {@code RemoteException} and the status that WebHDFS has for an exception, and without a stack. */
final class Errors {
    private static final Logger LOG = PrintableLog.of(Errors.class);

    private Errors() {}

    /** Answers with an error, unless the answer has begun: the client then sees that it breaks off. */
    static void answer(HttpServletResponse response, Exception error) throws IOException {
        Exception told = told(error);
        answer(response, status(told), told);
    }

    /** Answers with an error and this status. */
    static void answer(HttpServletResponse response, int status, Exception told) throws IOException {
        if (response.isCommitted()) {
            throw new IOException("an answer broke off: " + told.getMessage());
        }
        response.resetBuffer();
        response.setStatus(status);
        response.setContentType(HttpApi.JSON);
        response.getOutputStream().write(JsonUtil.toJsonString(told).getBytes(StandardCharsets.UTF_8));
    }

    private static int status(Exception told) {
        if (told instanceof FileNotFoundException) {
            return HttpServletResponse.SC_NOT_FOUND;
        }
        if (told instanceof IOException || told instanceof SecurityException) {
            return HttpServletResponse.SC_FORBIDDEN;
        }
        if (told instanceof IllegalArgumentException) {
            return HttpServletResponse.SC_BAD_REQUEST;
        }
        return HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
    }

    private static Exception told(Exception error) {
        if (error instanceof SecurityException
                && error.getCause() instanceof InvalidToken token
                && token.getCause() instanceof StandbyException standby) {
            return standby; // the active NameNode may know the token
        }
        if (error instanceof AccessControlException denied) {
            return new AccessControlException(denied.getMessage()); // without what the message of a cause has
        }
        if (!(error instanceof IOException
                || error instanceof SecurityException
                || error instanceof IllegalArgumentException)) {
            LOG.error("MPSR could not answer a request by HTTP", error);
            return new RuntimeException(
                    "the NameNode could not answer this request to MPSR because of an unexpected error, "
                            + error.getClass().getName() + "; see the NameNode's log");
        }
        return error;
    }
}
