# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""The program: draws a multi-block file, or orders its blocks for ParaView."""

import argparse
import json
import sys
import time
import traceback

from hadoop_mpsr.parallel import ReadCost, dynamic, split, static
from hadoop_mpsr.parallel.mpi import own_host
from hadoop_mpsr.vtk import offscreen
from hadoop_mpsr.vtk.alone import Alone
from hadoop_mpsr.vtk.multi_block import blocks, reordered
from hadoop_mpsr.vtk.parquet_files import parquet_files

_COST = ReadCost()


def main(argv=None):
    """Runs the program; returns its exit code."""
    arguments = _parser().parse_args(argv)
    offscreen.choose()
    try:
        return arguments.run(arguments)
    except Exception as error:
        expected = isinstance(error, (OSError, ValueError))
        print(f"{arguments.file}: {error}" if expected else traceback.format_exc(), file=sys.stderr, flush=True)
        comm = _communicator()
        if comm.size > 1:
            comm.Abort(1)  # the other ranks would wait for this one
        return 1


def _parser():
    parser = argparse.ArgumentParser(prog="python -m hadoop_mpsr.vtk", description="Multi-block files of VTK below a mount of HDFS.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    render = commands.add_parser(
        "render",
        help="draw surfaces of equal value; each rank of an MPI program reads the blocks that lie on its host",
        description="Draws surfaces of equal value of a field. Run by mpiexec, each rank reads the blocks that lie on its host, and draws them.",
    )
    render.add_argument("file", help="the file that names the blocks (.vtm)")
    render.add_argument("picture", help="the picture to write (.png)")
    render.add_argument("--field", required=True, help="the field of the points")
    render.add_argument("--value", required=True, type=float, help="the value of the surfaces")
    render.add_argument("--size", default="800x600", type=_size, help="width and height of the picture in pixels (800x600)")
    render.add_argument(
        "--assignment",
        default="static",
        choices=("static", "dynamic", "rows"),
        help="static: by place, before anybody reads; dynamic: by place, whoever is done takes the next; rows: equally many in a row, as VTK's own readers do",
    )
    _add_places(render)
    render.add_argument("--address", help="where other hosts reach rank 0 with --assignment dynamic (by the name of its host)")
    render.add_argument("--json", action="store_true", help="tell as JSON what was read, and how long it took")
    render.set_defaults(run=_render)
    _curves_parser(commands)
    order = commands.add_parser(
        "order",
        help="print the file with its blocks in the order in which stock ParaView's processes read what lies on their hosts",
        description="Prints the file with its blocks in another order: process n of stock ParaView then reads what lies on the n-th host.",
    )
    order.add_argument("file", help="the file that names the blocks (.vtm)")
    order.add_argument("--hosts", required=True, type=lambda text: text.split(","), help="the host of each process, as HDFS names it: HOST,HOST,…")
    order.set_defaults(run=lambda arguments: print(reordered(arguments.file, arguments.hosts), end="") or 0)
    return parser


def _add_places(command):
    """Adds the options about where ranks run, and what reads cost there."""
    command.add_argument("--host", help="the name that HDFS has for this rank's host (MPSR_HOST, else the host's full name)")
    for name, what, rate in (
        ("disk", "what a disk gives", _COST.disk_bytes_per_ms),
        ("network", "what comes from another host", _COST.network_bytes_per_ms),
    ):
        command.add_argument(f"--{name}", type=float, metavar="MB", default=rate / 1e3, help=f"{what}, in MB (10^6 bytes) a second (%(default)g)")


def _curves_parser(commands):
    curves = commands.add_parser(
        "curves",
        help="draw signals of Parquet files as curves; each rank of an MPI program reads the files that lie on its host",
        description="Draws signals of Parquet files as curves, with as few points as the picture can show.",
    )
    curves.add_argument("file", metavar="picture", help="the picture to write (.png)")
    curves.add_argument("files", nargs="+", metavar="FILE", help="Parquet files, or directories of them")
    curves.add_argument("--signals", required=True, type=lambda text: tuple(text.split(",")), help="the signals to draw: NAME,NAME,…")
    curves.add_argument("--begin", type=int, help="the first time, as a whole number of the time column's unit (all there is)")
    curves.add_argument("--end", type=int, help="the time after the last one (all there is)")
    for name in ("time", "value", "signal"):
        default = "timestamp" if name == "time" else name
        curves.add_argument(f"--{name}", default=default, metavar="COLUMN", help=f"the column with the {name} ({default})")
    curves.add_argument("--size", default="800x600", type=_size, help="width and height of the picture in pixels (800x600)")
    _add_places(curves)
    curves.set_defaults(run=_curves)


def _curves(arguments):
    from hadoop_mpsr.vtk import chart, curves, png

    comm = _communicator()
    wanted = curves.Wanted(
        arguments.time, arguments.value, arguments.signal, arguments.signals, arguments.begin, arguments.end, arguments.size[0]
    )
    points = {}
    for part in static(comm, parquet_files(arguments.files), arguments.host, _cost(arguments)):
        for signal, each in curves.read(part.path, wanted).items():
            points.setdefault(signal, []).append(each)
    merged, span = curves.of_all(comm, points, wanted)
    if comm.rank == 0:
        titles = (f"{arguments.time} from {span[0]}", arguments.value)
        png.write(chart.draw(merged, span, titles, arguments.size), arguments.file)
        for signal in arguments.signals:
            count = len(merged[signal][0]) if signal in merged else 0
            print(f"{signal}: {count} points drawn", flush=True)
    return 0


def _size(text):
    width, _, height = text.partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"'{text}' is no size; write WIDTHxHEIGHT")
    return int(width), int(height)


def _render(arguments):
    from hadoop_mpsr.vtk import picture, png
    from hadoop_mpsr.vtk.reader import read

    comm = _communicator()
    paths = blocks(arguments.file)
    host = own_host(arguments.host)
    surfaces = picture.Surfaces(arguments.field, arguments.value)
    bounds, seconds, size, local = [], 0.0, 0, 0
    comm.allgather(None)
    started = time.monotonic()
    for each in _mine(comm, paths, arguments, host):
        begun = time.monotonic()
        image = read(each.path)
        seconds += time.monotonic() - begun
        size, local = size + each.size, local + each.on(host)
        bounds.append(image.GetBounds())
        surfaces.add(image)
    done = time.monotonic() - started
    told = comm.allgather({"host": host, "blocks": len(bounds), "bytes": size, "localBytes": local, "readSeconds": seconds, "seconds": done})
    drawn = picture.draw(comm, surfaces.all(), bounds, arguments.size)
    if comm.rank == 0:
        png.write(drawn, arguments.picture)
        _tell(told, time.monotonic() - started, arguments.json)
    return 0


def _mine(comm, paths, arguments, host):
    """The splits of this rank."""
    if arguments.assignment == "static":
        return static(comm, paths, host, _cost(arguments))
    if arguments.assignment == "dynamic":
        return dynamic(comm, paths, host, _cost(arguments), arguments.address)
    first, last = (len(paths) * (comm.rank + more) // comm.size for more in (0, 1))
    return [split(path) for path in paths[first:last]]


def _cost(arguments):
    return ReadCost(disk_bytes_per_ms=arguments.disk * 1e3, network_bytes_per_ms=arguments.network * 1e3)


def _communicator():
    """That of all ranks; without mpi4py there is one."""
    try:
        from mpi4py import MPI
    except ImportError:
        return Alone()
    return MPI.COMM_WORLD


def _tell(ranks, seconds, as_json):
    if as_json:
        print(json.dumps({"seconds": seconds, "ranks": ranks}), flush=True)
        return
    for rank, each in enumerate(ranks):
        share = each["localBytes"] / each["bytes"] if each["bytes"] else 1
        print(f"rank {rank} on {each['host']}: {each['blocks']} blocks, {each['bytes']:,} bytes, {share:.0%} local, {each['readSeconds']:.2f} s to read")
    print(f"the picture took {seconds:.2f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
