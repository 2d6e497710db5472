// SPDX-License-Identifier: MIT
#include "troupe/tensor/print.hpp"

#include <cmath>
#include <complex>
#include <sstream>

#include "troupe/tensor/ops/copy.hpp"
#include "troupe/tensor/ops/creation.hpp"
#include "troupe/tensor/ops/from_data.hpp"
#include "troupe/tensor/ops/operators.hpp"
#include "troupe/tests/tensor/test_engine.hpp"

namespace troupe::testing {

TEST_CASE("numbers are laid out as NumPy lays them out") {
  test_engine e;
  // Results of NumPy 1.24's str() for the same arrays.
  const std::vector<std::pair<tensor, std::string>> cases = {
      {from_data(std::vector<float>{3.0f, 3.0f}), "[3. 3.]"},
      {from_data(std::vector<float>{1.0f, 2.5f, -3.25f}), "[ 1.    2.5  -3.25]"},
      {from_data(std::vector<float>{0.1f, 0.2f, 0.3333333333333333f}),
       "[0.1        0.2        0.33333334]"},
      {from_data(std::vector<double>{0.1, 0.2, 0.3333333333333333}),
       "[0.1        0.2        0.33333333]"},
      {from_data(std::vector<double>{1e-05, 1.0}), "[1.e-05 1.e+00]"},
      {from_data(std::vector<double>{100000000.0, 1.0}), "[1.e+08 1.e+00]"},
      {from_data(std::vector<double>{123456.789, 0.5}), "[1.23456789e+05 5.00000000e-01]"},
      {from_data(std::vector<double>{10000000000.0, -1e-10, 0.0}), "[ 1.e+10 -1.e-10  0.e+00]"},
      {from_data(std::vector<float>{1.5f, NAN, -INFINITY}), "[ 1.5  nan -inf]"},
      {from_data(std::vector<double>{NAN}), "[nan]"},
      {from_data(std::vector<double>{INFINITY, -INFINITY}), "[ inf -inf]"},
      {from_data(std::vector<double>{1e-320, 1.0}), "[1.e-320 1.e+000]"},
      {from_data(std::vector<double>{1e+300, 1e-300}), "[1.e+300 1.e-300]"},
      {from_data(std::vector<double>{99999999.0, 1000000.0}), "[99999999.  1000000.]"},
      {from_data(std::vector<double>{1e+100, NAN}), "[1.e+100     nan]"},
      {from_data(std::vector<double>{0.0, -0.0}), "[ 0. -0.]"},
      {from_data(std::vector<double>{100.0, 0.1}), "[100.    0.1]"},
      {from_data(std::vector<double>{100.0, 0.09}), "[1.e+02 9.e-02]"},
      {from_data(std::vector<float>{0.0001f, 0.0002f}), "[1.e-04 2.e-04]"},
      {from_data(std::vector<float>{0.0001f, 0.1f}), "[1.e-04 1.e-01]"},
      {from_data(std::vector<float>{0.6666666666666666f, 0.001f}), "[0.6666667 0.001    ]"},
      {from_data(std::vector<float>{16777216.0f, 2.0f}), "[1.6777216e+07 2.0000000e+00]"},
      {from_data(std::vector<double>{9.9e-05, 0.01}), "[9.9e-05 1.0e-02]"},
      {from_data(std::vector<double>{1.123456785, 2.0}), "[1.12345678 2.        ]"},
      {from_data(std::vector<double>{3.14159265358979, -2.71828182845905}),
       "[ 3.14159265 -2.71828183]"},
      {from_data(std::vector<double>{1234.5678901234, 2.0}), "[1234.56789012    2.        ]"},
      {from_data(std::vector<float>{99999992.0f, 1000001.0f}), "[99999992.  1000001.]"},
      {from_data(std::vector<float>{33554433.0f, 16777217.5f}), "[33554432. 16777218.]"},
      {from_data(std::vector<float>{-0.5f, -0.25f}), "[-0.5  -0.25]"},
      {from_data(std::vector<float>{12345.678f, 999.0f}), "[12345.678   999.   ]"},
      {from_data(std::vector<std::int64_t>{1, -20, 300}), "[  1 -20 300]"},
      {from_data(std::vector<std::int32_t>{-5}), "[-5]"},
      {tensor{true, false}, "[ True False]"},
      {arange(6).reshape({2, 3}),
       "[[0 1 2]\n"
       " [3 4 5]]"},
      {arange(24).reshape({2, 3, 4}),
       "[[[ 0  1  2  3]\n"
       "  [ 4  5  6  7]\n"
       "  [ 8  9 10 11]]\n"
       "\n"
       " [[12 13 14 15]\n"
       "  [16 17 18 19]\n"
       "  [20 21 22 23]]]"},
      {arange(8).reshape({2, 2, 1, 2}),
       "[[[[0 1]]\n"
       "\n"
       "  [[2 3]]]\n"
       "\n"
       "\n"
       " [[[4 5]]\n"
       "\n"
       "  [[6 7]]]]"},
      {arange(60) * 1000,
       "[    0  1000  2000  3000  4000  5000  6000  7000  8000  9000 10000 11000\n"
       " 12000 13000 14000 15000 16000 17000 18000 19000 20000 21000 22000 23000\n"
       " 24000 25000 26000 27000 28000 29000 30000 31000 32000 33000 34000 35000\n"
       " 36000 37000 38000 39000 40000 41000 42000 43000 44000 45000 46000 47000\n"
       " 48000 49000 50000 51000 52000 53000 54000 55000 56000 57000 58000 59000]"},
      {astype(arange(40), float64) / 7,
       "[0.         0.14285714 0.28571429 0.42857143 0.57142857 0.71428571\n"
       " 0.85714286 1.         1.14285714 1.28571429 1.42857143 1.57142857\n"
       " 1.71428571 1.85714286 2.         2.14285714 2.28571429 2.42857143\n"
       " 2.57142857 2.71428571 2.85714286 3.         3.14285714 3.28571429\n"
       " 3.42857143 3.57142857 3.71428571 3.85714286 4.         4.14285714\n"
       " 4.28571429 4.42857143 4.57142857 4.71428571 4.85714286 5.\n"
       " 5.14285714 5.28571429 5.42857143 5.57142857]"},
      {arange(80).reshape({2, 40}) * 100,
       "[[   0  100  200  300  400  500  600  700  800  900 1000 1100 1200 1300\n"
       "  1400 1500 1600 1700 1800 1900 2000 2100 2200 2300 2400 2500 2600 2700\n"
       "  2800 2900 3000 3100 3200 3300 3400 3500 3600 3700 3800 3900]\n"
       " [4000 4100 4200 4300 4400 4500 4600 4700 4800 4900 5000 5100 5200 5300\n"
       "  5400 5500 5600 5700 5800 5900 6000 6100 6200 6300 6400 6500 6600 6700\n"
       "  6800 6900 7000 7100 7200 7300 7400 7500 7600 7700 7800 7900]]"},
      {arange(1001), "[   0    1    2 ...  998  999 1000]"},
      {arange(1000)(range{0, 5}), "[0 1 2 3 4]"},
      {arange(2500).reshape({50, 50}),
       "[[   0    1    2 ...   47   48   49]\n"
       " [  50   51   52 ...   97   98   99]\n"
       " [ 100  101  102 ...  147  148  149]\n"
       " ...\n"
       " [2350 2351 2352 ... 2397 2398 2399]\n"
       " [2400 2401 2402 ... 2447 2448 2449]\n"
       " [2450 2451 2452 ... 2497 2498 2499]]"},
      {arange(1200).reshape({2, 3, 200}),
       "[[[   0    1    2 ...  197  198  199]\n"
       "  [ 200  201  202 ...  397  398  399]\n"
       "  [ 400  401  402 ...  597  598  599]]\n"
       "\n"
       " [[ 600  601  602 ...  797  798  799]\n"
       "  [ 800  801  802 ...  997  998  999]\n"
       "  [1000 1001 1002 ... 1197 1198 1199]]]"},
      {arange(2000).reshape({10, 10, 20}),
       "[[[   0    1    2 ...   17   18   19]\n"
       "  [  20   21   22 ...   37   38   39]\n"
       "  [  40   41   42 ...   57   58   59]\n"
       "  ...\n"
       "  [ 140  141  142 ...  157  158  159]\n"
       "  [ 160  161  162 ...  177  178  179]\n"
       "  [ 180  181  182 ...  197  198  199]]\n"
       "\n"
       " [[ 200  201  202 ...  217  218  219]\n"
       "  [ 220  221  222 ...  237  238  239]\n"
       "  [ 240  241  242 ...  257  258  259]\n"
       "  ...\n"
       "  [ 340  341  342 ...  357  358  359]\n"
       "  [ 360  361  362 ...  377  378  379]\n"
       "  [ 380  381  382 ...  397  398  399]]\n"
       "\n"
       " [[ 400  401  402 ...  417  418  419]\n"
       "  [ 420  421  422 ...  437  438  439]\n"
       "  [ 440  441  442 ...  457  458  459]\n"
       "  ...\n"
       "  [ 540  541  542 ...  557  558  559]\n"
       "  [ 560  561  562 ...  577  578  579]\n"
       "  [ 580  581  582 ...  597  598  599]]\n"
       "\n"
       " ...\n"
       "\n"
       " [[1400 1401 1402 ... 1417 1418 1419]\n"
       "  [1420 1421 1422 ... 1437 1438 1439]\n"
       "  [1440 1441 1442 ... 1457 1458 1459]\n"
       "  ...\n"
       "  [1540 1541 1542 ... 1557 1558 1559]\n"
       "  [1560 1561 1562 ... 1577 1578 1579]\n"
       "  [1580 1581 1582 ... 1597 1598 1599]]\n"
       "\n"
       " [[1600 1601 1602 ... 1617 1618 1619]\n"
       "  [1620 1621 1622 ... 1637 1638 1639]\n"
       "  [1640 1641 1642 ... 1657 1658 1659]\n"
       "  ...\n"
       "  [1740 1741 1742 ... 1757 1758 1759]\n"
       "  [1760 1761 1762 ... 1777 1778 1779]\n"
       "  [1780 1781 1782 ... 1797 1798 1799]]\n"
       "\n"
       " [[1800 1801 1802 ... 1817 1818 1819]\n"
       "  [1820 1821 1822 ... 1837 1838 1839]\n"
       "  [1840 1841 1842 ... 1857 1858 1859]\n"
       "  ...\n"
       "  [1940 1941 1942 ... 1957 1958 1959]\n"
       "  [1960 1961 1962 ... 1977 1978 1979]\n"
       "  [1980 1981 1982 ... 1997 1998 1999]]]"},
      {astype(arange(1100), float64),
       "[0.000e+00 1.000e+00 2.000e+00 ... 1.097e+03 1.098e+03 1.099e+03]"},
      {arange(6).reshape({2, 3}).T(),
       "[[0 3]\n"
       " [1 4]\n"
       " [2 5]]"},
      {zeros({0}), "[]"},
      {zeros({0, 3}), "[]"},
      {zeros({3, 0}), "[]"},
      {full({}, 3.0, float32), "3.0"},
      {full({}, 0.1, float32), "0.1"},
      {full({}, 0.1, float64), "0.1"},
      {full({}, 1e16, float64), "1e+16"},
      {full({}, 1e15, float64), "1000000000000000.0"},
      {full({}, 1e-4, float64), "0.0001"},
      {full({}, 0.00001, float64), "1e-05"},
      {full({}, 123456789.123, float64), "123456789.123"},
      {full({}, 1e20, float32), "1e+20"},
      {full({}, 123456789.0, float32), "123456790.0"},
      {full({}, -1.5e-7, float64), "-1.5e-07"},
      {full({}, 1234567890123456789.0, float64), "1.2345678901234568e+18"},
      {full({}, NAN), "nan"},
      {full({}, -INFINITY), "-inf"},
      {full({}, true), "True"},
      {full({}, -7), "-7"},
  };
  for (const auto& [x, text] : cases) CHECK(numbers_text(x) == text);
}

TEST_CASE("the parts of complex numbers are aligned as in NumPy") {
  test_engine e;
  using number = std::complex<double>;
  const auto x = from_data(std::vector<number>{{6, 0}, {-1.5, 0.125}, {-1.5, -10.5}}, {3});
  CHECK(numbers_text(x) == "[ 6.  +0.j    -1.5 +0.125j -1.5-10.5j  ]");
}

TEST_CASE("printing adds dtype, shape and device") {
  test_engine e;
  std::ostringstream out;
  out << full({1, 2}, 3.0) << "; " << zeros({0, 2}, {.dtype = int32, .device = cpu(1)});
  CHECK(out.str() == "[[3. 3.]]  float32[1,2] on cpu:0; []  int32[0,2] on cpu:1");
}

TEST_CASE("a tensor that names no array is printed, too") {
  std::ostringstream out;
  out << tensor();
  CHECK(out.str() == "no array");
  CHECK(TROUPE_ERROR_OF(to_string(tensor())) == "to_string: the input names no array yet");
}

TEST_CASE("shapes, dtypes and devices are printed as in messages") {
  std::ostringstream out;
  out << shape{2, 3} << ' ' << shape{} << ' ' << float32 << ' ' << cpu(1);
  CHECK(out.str() == "[2,3] [] float32 cpu:1");
}

}  // namespace troupe::testing
